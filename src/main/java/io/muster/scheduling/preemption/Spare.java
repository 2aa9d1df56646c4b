package io.muster.scheduling.preemption;

import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.preemption.Candidate.Part;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.topology.Fleet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/** Takes elastic jobs apart: the last replicas of each group are spare, the first ones are those it cannot do without. */
final class Spare {
    private static final Comparator<ReplicaPlacement> BY_INDEX =
            Comparator.comparingInt(ReplicaPlacement::index).thenComparing(ReplicaPlacement::group);

    private final Room room;
    private final Fleet fleet;

    Spare(Room room) {
        this.room = room;
        fleet = room.fleet();
    }

    /** All parts of a job that has replicas to spare, the spare ones one by one; empty when it has none. */
    List<Candidate> parts(Candidate whole) {
        var job = whole.occupant();
        if (!job.facts().isElastic() || !job.spots().stream().allMatch(s -> couldStay(s.node())) || !isNumbered(job)) {
            return List.of();
        }
        var order = order(job);
        var needed = new ArrayList<ReplicaPlacement>();
        var parts = new ArrayList<Candidate>();
        for (int i = 0; i < order.size(); i++) {
            if (isSpare(job, order.get(i))) {
                parts.add(part(whole, List.of(order.get(i)), new Part(i, true)));
            } else {
                needed.add(order.get(i));
            }
        }
        if (!parts.isEmpty()) {
            parts.add(part(whole, needed, new Part(0, false)));
        }
        return parts;
    }

    /** False on a node that takes no replicas any more, or has shrunk below what it holds. */
    private boolean couldStay(int node) {
        return fleet.takes(node) && room.future().isCovered(node);
    }

    /** False when some replicas have ended already: such a job is about to end. */
    private static boolean isNumbered(Occupant job) {
        for (var group : job.facts().groups()) {
            var indices = job.job().placements().stream()
                    .filter(p -> p.group().equals(group.name()))
                    .mapToInt(ReplicaPlacement::index)
                    .toArray();
            if (indices.length < group.min() || Arrays.stream(indices).anyMatch(i -> i >= indices.length)) {
                return false;
            }
        }
        return true;
    }

    private static List<ReplicaPlacement> order(Occupant job) {
        return job.job().placements().stream().sorted(BY_INDEX).toList();
    }

    private static boolean isSpare(Occupant job, ReplicaPlacement replica) {
        return job.facts().groups().stream()
                .anyMatch(g -> g.name().equals(replica.group()) && replica.index() >= g.min());
    }

    private Candidate part(Candidate whole, List<ReplicaPlacement> replicas, Part part) {
        var job = whole.occupant();
        var spots = Occupant.spots(replicas, fleet);
        int gpus = replicas.stream().mapToInt(p -> p.amount().gpus()).sum();
        var piece = new Occupant(job.number(), job.job(), job.leaf(), job.user(), job.pool(), spots, gpus);
        long cost = job.gpus() == 0 ? 0 : whole.cost() / job.gpus() * gpus;
        return new Candidate(piece, whole.rank(), cost, true, part);
    }

    /** What is left of the job without the parts {@code taken}, numbered anew: the place in which it goes on. */
    static List<ReplicaPlacement> left(Occupant job, Set<Integer> taken) {
        var order = order(job);
        var next = new HashMap<String, Integer>();
        var left = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < order.size(); i++) {
            var p = order.get(i);
            if (!taken.contains(i)) {
                int index = next.merge(p.group(), 1, Integer::sum) - 1;
                left.add(new ReplicaPlacement(p.group(), index, p.node(), p.amount()));
            }
        }
        return inRankOrder(job, left);
    }

    /** Group by group, as every placement of a gang is listed. */
    private static List<ReplicaPlacement> inRankOrder(Occupant job, List<ReplicaPlacement> replicas) {
        var ordered = new ArrayList<ReplicaPlacement>(replicas.size());
        for (var group : job.facts().groups()) {
            replicas.stream().filter(p -> p.group().equals(group.name())).forEach(ordered::add);
        }
        return ordered;
    }
}
