package io.muster.scheduling.explain;

import io.muster.model.Holder;
import io.muster.model.JobId;
import io.muster.model.NodeGap;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who holds what at the end of a plan, by node and by partition; lists are cut at {@link #MOST_HOLDERS}. */
final class Scene {
    static final int MOST_HOLDERS = 8;
    static final int MOST_NODES = 8;
    private static final Comparator<Holder> LARGEST = Comparator.comparingInt(Holder::gpus)
            .reversed()
            .thenComparingLong(h -> h.job() == null ? Long.MAX_VALUE : h.job().value());

    private final Draft draft;
    private final Map<Integer, List<Holder>> byPartition = new HashMap<>();
    private @Nullable Map<Integer, List<Holder>> byNode;

    Scene(Draft draft) {
        this.draft = draft;
    }

    /** The largest holders of a partition. */
    List<Holder> holders(Partition partition) {
        return byPartition.computeIfAbsent(partition.number(), p -> {
            var sums = new HashMap<JobId, Holder>();
            int foreign = 0;
            for (int n = partition.from(); n < partition.to(); n++) {
                foreign += draft.problem().fleet().node(n).foreign().gpus();
                for (var h : onNode(n)) {
                    if (h.job() != null) {
                        sums.merge(
                                h.job(),
                                h,
                                (a, b) -> new Holder(a.job(), a.team(), a.gpus() + b.gpus(), a.expectedEnd()));
                    }
                }
            }
            var all = new ArrayList<>(sums.values());
            if (foreign > 0) {
                all.add(new Holder(null, null, foreign, null));
            }
            return largest(all);
        });
    }

    private static List<Holder> largest(List<Holder> holders) {
        holders.sort(LARGEST);
        return List.copyOf(holders.subList(0, Math.min(MOST_HOLDERS, holders.size())));
    }

    /** The strip of one node: free for others, and who holds the rest. */
    NodeGap gap(int node) {
        var view = draft.problem().fleet().node(node);
        var holders = new ArrayList<>(onNode(node));
        if (view.foreign().gpus() > 0) {
            holders.add(new Holder(null, null, view.foreign().gpus(), null));
        }
        int free = view.takesReplicas() ? Math.max(0, draft.room().strict().gpus(node)) : 0;
        return new NodeGap(view.id(), view.allocatable().gpus(), free, 0, largest(holders));
    }

    private List<Holder> onNode(int node) {
        if (byNode == null) {
            byNode = index();
        }
        return byNode.getOrDefault(node, List.of());
    }

    private Map<Integer, List<Holder>> index() {
        var index = new HashMap<Integer, List<Holder>>();
        for (var o : draft.problem().occupants()) {
            for (var spot : o.spots()) {
                index.computeIfAbsent(spot.node(), n -> new ArrayList<>())
                        .add(new Holder(
                                o.id(),
                                o.facts().team(),
                                spot.amount().gpus(),
                                expectedEnd(o, draft.problem().asOf())));
            }
        }
        for (var start : draft.started()) {
            var c = start.claimant();
            for (var spot : start.layout().spots()) {
                index.computeIfAbsent(spot.node(), n -> new ArrayList<>())
                        .add(new Holder(c.id(), c.facts().team(), spot.amount().gpus(), null));
            }
        }
        return index;
    }

    /** Learned, else by walltime, else unknown; never in the past. */
    static @Nullable Instant expectedEnd(Occupant o, Instant asOf) {
        var learned = o.job().expectedEnd();
        var walltime = o.facts().walltime();
        var end =
                learned != null ? learned : walltime == null ? null : o.since().plus(walltime);
        return end == null || end.isBefore(asOf) ? null : end;
    }
}
