package io.muster.scheduling.draft;

import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Problem;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The reservations of blocked heads, as they bound what others may take of the same nodes. */
public final class Heads {
    private final Problem problem;
    private final Room room;
    private final Tenures tenures;
    private final Map<JobId, Head> heads = new LinkedHashMap<>();

    Heads(Problem problem, Room room, Tenures tenures) {
        this.problem = problem;
        this.room = room;
        this.tenures = tenures;
    }

    public void add(Head head) {
        heads.put(head.claimant().id(), head);
        rebound(head);
    }

    public @Nullable Head remove(Claimant claimant) {
        var head = heads.remove(claimant.id());
        if (head != null) {
            rebound(head);
        }
        return head;
    }

    public @Nullable Head of(JobId job) {
        return heads.get(job);
    }

    /** A view, for those who change nothing meanwhile. */
    public Collection<Head> each() {
        return heads.values();
    }

    public List<Head> all() {
        return List.copyOf(heads.values());
    }

    public int count(int pool) {
        int count = 0;
        for (var head : heads.values()) {
            count += head.pool() == pool ? 1 : 0;
        }
        return count;
    }

    public boolean any(int pool) {
        return !heads.isEmpty() && heads.values().stream().anyMatch(h -> h.pool() == pool);
    }

    /** When the first head of the pool is to start, or null when it has none. */
    public @Nullable Instant firstStart(int pool) {
        Instant first = null;
        for (var head : heads.values()) {
            if (head.pool() == pool && (first == null || head.startAt().isBefore(first))) {
                first = head.startAt();
            }
        }
        return first;
    }

    /** The head that has reserved GPUs on {@code node}, the first to start of them, or null. */
    public @Nullable Head on(int node) {
        Head found = null;
        for (var head : heads.values()) {
            if (head.spots().stream().anyMatch(s -> s.node() == node)
                    && (found == null || head.startAt().isBefore(found.startAt()))) {
                found = head;
            }
        }
        return found;
    }

    /** True while the head can still start where and when it was promised. */
    public boolean isMet(Head head) {
        for (var spot : head.spots()) {
            var reserved = Resources.NONE;
            for (var other : heads.values()) {
                for (var s : other.spots()) {
                    reserved = s.node() == spot.node() ? reserved.plus(s.amount()) : reserved;
                }
            }
            var left = bound(spot.node(), reserved, head.startAt());
            boolean covered = left.gpus() >= 0 && left.cpuMillis() >= 0 && left.memoryBytes() >= 0;
            if (!problem.fleet().takes(spot.node()) || !covered) {
                return false;
            }
        }
        return true;
    }

    /** Computes again what others may take, beyond the first head's time, of the nodes of {@code changed}. */
    private void rebound(Head changed) {
        var nodes = new TreeSet<Integer>();
        changed.spots().forEach(s -> nodes.add(s.node()));
        for (int node : nodes) {
            var heldHere = Resources.NONE;
            Instant first = null;
            for (var head : heads.values()) {
                for (var spot : head.spots()) {
                    if (spot.node() == node) {
                        heldHere = heldHere.plus(spot.amount());
                        first = first == null || head.startAt().isBefore(first) ? head.startAt() : first;
                    }
                }
            }
            room.reserveForHeads(node, heldHere, first == null ? Resources.NONE : bound(node, heldHere, first));
        }
    }

    /** What of the node is neither reserved nor held by jobs that go on beyond {@code time}. */
    private Resources bound(int node, Resources reserved, Instant time) {
        var left = problem.fleet().ours(node).minus(reserved);
        for (var tenure : tenures.on(node)) {
            if (!tenure.yields() && tenure.end().isAfter(time)) {
                for (var spot : tenure.spots()) {
                    left = spot.node() == node ? left.minus(spot.amount()) : left;
                }
            }
        }
        return left.minus(room.promised(node));
    }
}
