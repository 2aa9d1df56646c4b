package io.muster.gateway;

import static org.awaitility.Awaitility.await;

import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** An observer that remembers, and can be made to fail as one whose database is away. */
public final class ToldFacts implements ClusterObserver {

    private final List<ClusterFact> facts = new ArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public void observe(List<ClusterFact> told) {
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new IllegalStateException("the observer could not keep these facts, as the test wants it");
        }
        synchronized (facts) {
            facts.addAll(told);
        }
    }

    /** The next calls fail. */
    public void failNext(int calls) {
        failures.set(calls);
    }

    /** Whether failures that were asked for have happened. */
    public boolean hasFailed() {
        return failures.get() == 0;
    }

    public List<ClusterFact> all() {
        synchronized (facts) {
            return List.copyOf(facts);
        }
    }

    public void forget() {
        synchronized (facts) {
            facts.clear();
        }
    }

    public <F extends ClusterFact> List<F> all(Class<F> kind) {
        return all().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <F extends ClusterFact> Optional<F> last(Class<F> kind, Predicate<F> which) {
        return all(kind).stream().filter(which).reduce((earlier, later) -> later);
    }

    /** The last that was told of a replica. */
    public Optional<ClusterFact.ReplicaSeen> replica(ReplicaId replica) {
        return last(ClusterFact.ReplicaSeen.class, seen -> seen.replica().equals(replica));
    }

    public boolean isGone(ReplicaId replica) {
        return all(ClusterFact.ReplicaGone.class).stream()
                .anyMatch(gone -> gone.replica().equals(replica));
    }

    public Optional<ClusterFact.NodeSeen> node(NodeId node) {
        return last(ClusterFact.NodeSeen.class, seen -> seen.node().equals(node));
    }

    /** The lines of a replica by their number, as someone would keep them who recognises repeats. */
    public List<String> lines(ReplicaId replica) {
        var lines = new TreeMap<Long, String>();
        for (var told : all(ClusterFact.LogLines.class)) {
            if (told.replica().equals(replica)) {
                for (int i = 0; i < told.lines().size(); i++) {
                    lines.putIfAbsent(told.offset() + i, told.lines().get(i));
                }
            }
        }
        return List.copyOf(lines.values());
    }

    public void awaitPhase(ReplicaId replica, ReplicaPhase phase, Duration patience) {
        await(replica.podName() + " is " + phase)
                .atMost(patience)
                .until(() ->
                        replica(replica).map(ClusterFact.ReplicaSeen::phase).orElse(null) == phase);
    }

    public void awaitGone(ReplicaId replica, Duration patience) {
        await(replica.podName() + " is gone").atMost(patience).until(() -> isGone(replica));
    }
}
