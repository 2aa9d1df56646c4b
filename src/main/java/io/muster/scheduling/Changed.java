package io.muster.scheduling;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.PoolId;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.snapshot.JobFacts;
import java.util.List;

/** A job that asks for something else. */
final class Changed {
    private final JobFacts f;
    private int priority;
    private String priorityClass;
    private List<PoolId> pools;
    private List<GpuTypeId> types;
    private List<GroupShape> groups;
    private TopologyRequest topology;

    Changed(JobFacts facts) {
        f = facts;
        priority = facts.priority();
        priorityClass = facts.priorityClass();
        pools = facts.pools();
        types = facts.gpuTypes();
        groups = facts.groups();
        topology = facts.topology();
    }

    Changed topology(TopologyRequest value) {
        topology = value;
        return this;
    }

    /** The pool alone, with whatever type it has; the least memory stays. */
    Changed pool(PoolId value) {
        pools = List.of(value);
        types = List.of();
        return this;
    }

    Changed replicas(int value) {
        var group = groups.getFirst();
        groups = List.of(new GroupShape(group.name(), value, group.each(), group.slices()));
        return this;
    }

    Changed withoutSlices() {
        groups = groups.stream()
                .map(g -> new GroupShape(g.name(), g.replicas(), g.min(), g.each()))
                .toList();
        return this;
    }

    Changed priority(Explainer.PriorityClass wanted) {
        priority = wanted.priority();
        priorityClass = wanted.name();
        return this;
    }

    JobFacts facts() {
        return new JobFacts(
                f.id(),
                f.team(),
                f.user(),
                priority,
                priorityClass,
                f.acrossTeams(),
                f.classCap(),
                f.submittedAt(),
                pools,
                types,
                f.minGpuMemoryMib(),
                groups,
                topology,
                f.preemptible(),
                f.walltime(),
                f.grace(),
                f.checkpointEvery());
    }
}
