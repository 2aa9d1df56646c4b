package io.muster.scheduling.placement;

import io.muster.model.Resources;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is free on every node, in the views that a plan needs:
 *
 * <ul>
 *   <li>{@link #now()}: free at this moment and promised to nobody by way of victims;
 *   <li>{@link #strict()}: also leaves every reservation of a blocked head as it is;
 *   <li>{@link #future()}: once all that leave are gone;
 *   <li>{@link #futureStrict()}: once all that leave are gone, without what is reserved for heads.
 * </ul>
 *
 * A leaving job still holds its node: free now is the less of what is there and of what will be there after every
 * promise is kept.
 */
public final class Room {
    private static final Resources UNBOUNDED =
            new Resources(Integer.MAX_VALUE / 2, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);

    private final Fleet fleet;
    private final Plane present;
    private final Plane staying;
    private final Plane cap;
    private final Plane headHeld;
    private final Plane promised;
    private final Plane now;
    private final Plane strict;
    private final Plane futureStrict;
    private final FreeIndex index;
    private @Nullable Trial trial;
    private final long[] freeStrictly;
    private final long[] freeLater;
    private final int[] talliedFree;
    private final int[] talliedLater;
    private long changes;
    private long version;

    private enum Book {
        PRESENT,
        STAYING,
        CAP
    }

    private record Entry(Book book, int node, Resources amount) {}

    /** The fleet with nobody on it. */
    public Room(Fleet fleet) {
        this(fleet, seats -> {});
    }

    /** {@code who}: takes a seat for everybody who has one, before anybody looks. */
    public Room(Fleet fleet, Consumer<Seats> who) {
        this.fleet = fleet;
        int n = fleet.size();
        int most = 0;
        for (int i = 0; i < n; i++) {
            most = Math.max(most, fleet.ours(i).gpus());
        }
        index = new FreeIndex(n, most);
        present = new Plane(n);
        staying = new Plane(n);
        cap = new Plane(n);
        headHeld = new Plane(n);
        promised = new Plane(n);
        now = new Plane(n);
        strict = new Plane(n);
        futureStrict = new Plane(n);
        freeStrictly = new long[fleet.partitions().size()];
        freeLater = new long[freeStrictly.length];
        talliedFree = new int[n];
        talliedLater = new int[n];
        for (int i = 0; i < n; i++) {
            present.set(i, fleet.ours(i));
            staying.set(i, fleet.ours(i));
            cap.set(i, UNBOUNDED);
        }
        who.accept(new Seats());
        for (int i = 0; i < n; i++) {
            derive(i);
        }
    }

    /** What is taken on each node to begin with. */
    public final class Seats {
        private Seats() {}

        /** As {@link Room#occupy}. */
        public void occupy(int node, Resources amount) {
            present.subtract(node, amount);
            staying.subtract(node, amount);
        }

        /** A job that is leaving: it holds the node now, but counts for what comes after. */
        public void occupyLeaving(int node, Resources amount) {
            present.subtract(node, amount);
        }
    }

    public Plane now() {
        return now;
    }

    public Plane strict() {
        return strict;
    }

    public Plane future() {
        return staying;
    }

    public Plane futureStrict() {
        return futureStrict;
    }

    /** Free at this moment, whoever it is promised to. */
    public Plane present() {
        return present;
    }

    /** What its open nodes would hold if nobody but foreign pods used them. */
    public Plane empty() {
        var empty = new Plane(fleet.size());
        for (int i = 0; i < fleet.size(); i++) {
            empty.set(i, fleet.ours(i));
        }
        return empty;
    }

    FreeIndex index() {
        return index;
    }

    public Fleet fleet() {
        return fleet;
    }

    /** A job that runs on {@code node} and stays, or starts there. */
    public void occupy(int node, Resources amount) {
        book(Book.PRESENT, node, amount, -1);
        book(Book.STAYING, node, amount, -1);
    }

    /** What {@link #occupy} took for a start that goes elsewhere. */
    public void vacate(int node, Resources amount) {
        book(Book.PRESENT, node, amount, 1);
        book(Book.STAYING, node, amount, 1);
    }

    /** A job that stayed so far is to leave. */
    public void leave(int node, Resources amount) {
        book(Book.STAYING, node, amount, 1);
    }

    /** A job that was to leave stays after all. */
    public void spare(int node, Resources amount) {
        book(Book.STAYING, node, amount, -1);
    }

    /** Keeps what becomes free on {@code node} for a beneficiary. */
    public void promise(int node, Resources amount) {
        promised.add(node, amount);
        book(Book.STAYING, node, amount, -1);
    }

    /** Takes a promise back. */
    public void release(int node, Resources amount) {
        promised.subtract(node, amount);
        book(Book.STAYING, node, amount, 1);
    }

    /** Keeps GPUs that are free on {@code node} for a job that is to come: from now on nobody else gets them. */
    public void hold(int node, Resources amount) {
        promised.add(node, amount);
        book(Book.PRESENT, node, amount, -1);
        book(Book.STAYING, node, amount, -1);
    }

    /** What was kept for a job that is to come is free again. */
    public void unhold(int node, Resources amount) {
        promised.subtract(node, amount);
        book(Book.PRESENT, node, amount, 1);
        book(Book.STAYING, node, amount, 1);
    }

    /** What of the node is promised to beneficiaries and kept for jobs that move. */
    public Resources promised(int node) {
        return new Resources(promised.gpus[node], promised.cpu[node], promised.memory[node]);
    }

    /** A start that runs beyond the time for which heads have reserved the node. */
    public void useUpCap(int node, Resources amount) {
        if (headHeld.gpus[node] > 0 || headHeld.cpu[node] > 0 || headHeld.memory[node] > 0) {
            book(Book.CAP, node, amount, -1);
        }
    }

    /** Reserves {@code held} for blocked heads; {@code bound} is what others may still take beyond that time. */
    public void reserveForHeads(int node, Resources held, Resources bound) {
        if (trial != null) {
            trial.reserved = true; // which is no part of what it undoes
        }
        headHeld.set(node, held);
        cap.set(node, held.equals(Resources.NONE) ? UNBOUNDED : bound);
        derive(node);
    }

    private void book(Book book, int node, Resources amount, int sign) {
        apply(book, node, amount, sign);
        if (trial != null) {
            trial.log.add(new Entry(book, node, sign > 0 ? amount.times(-1) : amount));
        }
    }

    /** Another number whenever the room is another; a trial that undid itself leaves it as it was. */
    public long version() {
        return version;
    }

    private void apply(Book book, int node, Resources amount, int sign) {
        var plane = switch (book) {
            case PRESENT -> present;
            case STAYING -> staying;
            case CAP -> cap;
        };
        if (sign > 0) {
            plane.add(node, amount);
        } else {
            plane.subtract(node, amount);
        }
        derive(node);
    }

    private void derive(int node) {
        version = ++changes;
        now.setLess(node, present, staying);
        strict.setLess(node, now, cap);
        futureStrict.set(
                node,
                new Resources(
                        staying.gpus[node] - headHeld.gpus[node],
                        staying.cpu[node] - headHeld.cpu[node],
                        staying.memory[node] - headHeld.memory[node]));
        tally(node);
        boolean takes = fleet.takes(node);
        index.file(node, takes ? strict.gpus[node] : -1, isWhole(strict, node));
    }

    private void tally(int node) {
        if (fleet.takes(node)) {
            int partition = fleet.partitionOf(node).number();
            int free = Math.max(0, strict.gpus[node]);
            int later = Math.max(0, staying.gpus[node]);
            freeStrictly[partition] += free - talliedFree[node];
            freeLater[partition] += later - talliedLater[node];
            talliedFree[node] = free;
            talliedLater[node] = later;
        }
    }

    /** GPUs of the partition that are free once all that leave are gone. */
    public long freeLater(Partition partition) {
        return freeLater[partition.number()];
    }

    /** GPUs of the partition that are free now and reserved for nobody. */
    public long freeStrictly(Partition partition) {
        return freeStrictly[partition.number()];
    }

    /** True when no GPU of the node is used in this view. */
    public boolean isWhole(Plane plane, int node) {
        return plane.gpus[node] >= fleet.node(node).allocatable().gpus();
    }

    /** True when the node takes replicas and is not among {@code excluded}. */
    public boolean takes(int node, @Nullable BitSet excluded) {
        return fleet.takes(node) && (excluded == null || !excluded.get(node));
    }

    /** Replicas that have room on nodes {@code from..to} as {@code plane} shows them, counted until there are enough. */
    public long count(Plane plane, int from, int to, @Nullable BitSet excluded, Resources each, int enough) {
        long have = 0;
        for (int n = from; n < to && have < enough; n++) {
            have += plane.gpus[n] >= each.gpus() && takes(n, excluded) ? plane.count(n, each, enough) : 0;
        }
        return have;
    }

    /** Begins a trial: closing it undoes what was booked since. Trials do not nest. */
    public Trial trial() {
        if (trial != null) {
            throw new IllegalStateException("trials do not nest");
        }
        trial = new Trial();
        return trial;
    }

    /** Changes that undo themselves. */
    public final class Trial implements AutoCloseable {
        private final List<Entry> log = new ArrayList<>();
        private final long before = version;
        private boolean reserved;

        private Trial() {}

        @Override
        public void close() {
            trial = null;
            for (int i = log.size() - 1; i >= 0; i--) {
                var entry = log.get(i);
                apply(entry.book, entry.node, entry.amount, 1);
            }
            version = reserved ? version : before;
        }
    }
}
