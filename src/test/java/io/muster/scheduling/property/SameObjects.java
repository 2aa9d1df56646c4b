package io.muster.scheduling.property;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives what is as before by the same object, as the server does, so that a core that remembers has something to. */
final class SameObjects {
    private final Map<JobId, WaitingJob> waiting = new HashMap<>();
    private final Map<JobId, RunningJob> running = new HashMap<>();
    private final Map<NodeId, NodeView> nodes = new HashMap<>();

    ClusterSnapshot of(ClusterSnapshot s) {
        List<WaitingJob> waits =
                s.waiting().stream().map(w -> known(waiting, w.id(), w)).toList();
        List<RunningJob> runs =
                s.running().stream().map(r -> known(running, r.id(), r)).toList();
        List<NodeView> views =
                s.nodes().stream().map(n -> known(nodes, n.id(), n)).toList();
        return new ClusterSnapshot(
                s.asOf(), s.settings(), s.mode(), s.pools(), views, s.teams(), waits, runs, s.reservations());
    }

    private static <K, V> V known(Map<K, V> before, K key, V now) {
        V known = before.get(key);
        if (known != null && known.equals(now)) {
            return known;
        }
        before.put(key, now);
        return now;
    }
}
