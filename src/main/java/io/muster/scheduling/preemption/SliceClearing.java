package io.muster.scheduling.preemption;

import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout.Spot;
import io.muster.scheduling.preemption.Clearing.Chosen;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Clears a range for replicas that go in slices: one domain for one more slice, the cheapest next. */
final class SliceClearing {
    private final Clearing clearing;
    private final Gang.Kind kind;
    private final int size;
    private final List<Range> domains = new ArrayList<>();

    /** Nodes of one domain of the level of the slices. */
    private record Range(int from, int to) {}

    /** What clears a domain for one more slice. */
    private record Step(Range domain, List<Chosen> victims, int highestPriority, long cost) {
        static final Comparator<Step> CHEAPEST = Comparator.comparingInt(Step::highestPriority)
                .thenComparingLong(Step::cost)
                .thenComparingInt(s -> s.victims.size())
                .thenComparingInt(s -> s.domain.from);
    }

    SliceClearing(Clearing clearing, Gang.Kind kind, Partition partition, int from, int to) {
        this.clearing = clearing;
        this.kind = kind;
        size = kind.sliceSize();
        int level = kind.slices() == null
                ? Partition.WHOLE
                : partition.level(kind.slices().level());
        for (int n = from; level != Partition.WHOLE && n < to; ) {
            int end = partition.runEnd(level, n, to);
            if (partition.inDomain(n, level)) {
                domains.add(new Range(n, end));
            }
            n = end;
        }
    }

    /** Takes victims until all slices have room; false when that cannot be. */
    boolean clear() {
        long have = domains.stream().mapToLong(this::room).sum();
        if (have >= kind.replicas()) {
            return true;
        }
        var steps = new PriorityQueue<>(Step.CHEAPEST);
        domains.forEach(domain -> offer(steps, domain));
        while (have < kind.replicas()) {
            var step = steps.poll();
            if (step == null) {
                return false;
            }
            var again = step(step.domain);
            if (again == null) {
                continue; // since then its victims were taken, or may no longer be
            }
            if (!again.victims.equals(step.victims)) {
                steps.add(again);
                continue;
            }
            have += take(step, steps);
        }
        return true;
    }

    private long room(Range domain) {
        return kind.whole(clearing.count(domain.from, domain.to, kind.each(), kind.replicas()));
    }

    private void offer(PriorityQueue<Step> steps, Range domain) {
        var step = step(domain);
        if (step != null) {
            steps.add(step);
        }
    }

    /** Takes the step's victims; returns how many replicas more fit, in whole slices. */
    private long take(Step step, PriorityQueue<Step> steps) {
        var nodes = new TreeSet<Integer>();
        step.victims.forEach(victim -> nodes.addAll(clearing.nodes(victim)));
        var touched = domains.stream()
                .filter(d -> !nodes.subSet(d.from, d.to).isEmpty())
                .toList();
        long before = touched.stream().mapToLong(this::room).sum();
        step.victims.forEach(clearing::take);
        touched.forEach(domain -> offer(steps, domain));
        return touched.stream().mapToLong(this::room).sum() - before;
    }

    /** The cheapest that make room for one slice more, tried and taken back. */
    private @Nullable Step step(Range domain) {
        var inner = clearing.within(domain.from, domain.to);
        boolean cleared = inner.clear(kind.each(), (int) room(domain) + size);
        var victims = List.copyOf(inner.chosen());
        int highest = inner.highestPriority();
        long cost = inner.cost();
        victims.reversed().forEach(inner::spare);
        return !cleared || victims.isEmpty() ? null : new Step(domain, victims, highest, cost);
    }

    /** Seats for all slices, first where most of them have room. */
    List<Spot> seats(int kindNumber) {
        var roomiest = new ArrayList<>(domains);
        roomiest.sort(Comparator.comparingLong(this::room).reversed().thenComparingInt(Range::from));
        var seats = new ArrayList<Spot>();
        int left = kind.replicas();
        for (var domain : roomiest) {
            int here = (int) Math.min(left, room(domain));
            if (here > 0) {
                seats.addAll(clearing.seats(kindNumber, kind, domain.from, domain.to, here));
                left -= here;
            }
        }
        seats.sort(Comparator.comparingInt(Spot::node));
        return seats;
    }
}
