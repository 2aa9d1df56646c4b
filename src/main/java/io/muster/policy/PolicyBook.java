package io.muster.policy;

import io.muster.model.TeamId;
import java.util.List;
import java.util.Optional;

/** Reads the policy; answers come from a cache that follows every change. */
public interface PolicyBook {

    PolicyRevision current();

    /** All classes, highest first. */
    List<PriorityClass> classes();

    Optional<PriorityClass> priorityClass(String name);

    /** True when a platform admin granted the class to the team or one above it. */
    boolean granted(String priorityClass, TeamId team);

    OperatingMode mode();

    /** Grows with every committed change, by any server on this database. */
    long revision();
}
