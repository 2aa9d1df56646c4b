package io.muster.scheduling.placement;

import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The room of a fleet in words: {@code site(cluster().rack("r1", nodes("n", 2))).holds("n1", 4)}. */
final class Site {
    final Fleet fleet;
    final Room room;
    private final Placer placer;
    private final BitSet excluded = new BitSet();
    private int partition;

    private Site(Fleet fleet) {
        this.fleet = fleet;
        room = new Room(fleet);
        placer = new Placer(room);
    }

    static Site site(Cluster cluster) {
        var snapshot = cluster.snapshot();
        return new Site(new Fleet(snapshot.pools(), snapshot.nodes()));
    }

    /** A job that stays holds so many GPUs of the node. */
    Site holds(String node, int gpus) {
        return holds(node, Resources.gpus(gpus));
    }

    Site holds(String node, Resources amount) {
        room.occupy(number(node), amount);
        return this;
    }

    Site excluding(String node) {
        excluded.set(number(node));
        return this;
    }

    /** Jobs are placed in this partition; in the first unless said. */
    Site in(int number) {
        partition = number;
        return this;
    }

    Partition partition() {
        return fleet.partitions().get(partition);
    }

    int number(String node) {
        return fleet.number(new NodeId(node));
    }

    static JobFacts facts(Job job) {
        return job.facts(List.of("gpu"));
    }

    static Gang gang(Job job) {
        return new Gang(facts(job).groups());
    }

    LevelWish wish(Job job) {
        return LevelWish.of(facts(job).topology(), partition(), Job.NOW, Job.NOW);
    }

    /** Where the job would start now, or null. */
    @Nullable Layout place(Job job) {
        return place(job, room.strict());
    }

    @Nullable Layout place(Job job, Plane plane) {
        return placer.place(gang(job), partition(), wish(job), plane, excluded.isEmpty() ? null : excluded);
    }

    /** Where it could be among the nodes {@code from..to}, or null. */
    @Nullable Layout place(Job job, Plane plane, String from, String to) {
        return placer.place(gang(job), partition(), wish(job), plane, null, number(from), number(to) + 1);
    }

    /** The node of each replica, in order; empty when there is no place. */
    List<String> nodesOf(Job job) {
        return nodes(job, place(job));
    }

    List<String> nodesOf(Job job, Plane plane) {
        return nodes(job, place(job, plane));
    }

    List<String> nodes(Job job, @Nullable Layout layout) {
        return layout == null
                ? List.of()
                : gang(job).number(layout, fleet).stream()
                        .map(p -> p.node().value())
                        .toList();
    }
}
