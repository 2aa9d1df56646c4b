package io.muster.job;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.policy.PolicyBook;
import io.muster.policy.PriorityClass;
import io.muster.tenancy.Reader;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Who may use which priority class. */
@Component
public class PriorityRule {
    private final PolicyBook policy;

    PriorityRule(PolicyBook policy) {
        this.policy = policy;
    }

    /** Why the reader may not use the class in the team; empty: they may. */
    public Optional<String> refusal(Reader reader, String name, TeamId team) {
        Optional<PriorityClass> found = policy.priorityClass(name);
        if (found.isEmpty()) {
            return Optional.of("there is no priority class " + name);
        }
        PriorityClass of = found.get();
        return switch (of.usableBy()) {
            case MEMBER -> unless(reader.may(team, Role.MEMBER), name + " is for members of the team");
            case TEAM_ADMIN -> unless(reader.may(team, Role.TEAM_ADMIN), name + " is for team admins");
            case GRANTED ->
                unless(
                        reader.may(team, Role.MEMBER) && policy.granted(name, team),
                        name + " is for teams to which a platform admin granted it");
        };
    }

    private static Optional<String> unless(boolean may, String why) {
        return may ? Optional.empty() : Optional.of(why);
    }
}
