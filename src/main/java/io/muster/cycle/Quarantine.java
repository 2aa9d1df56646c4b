package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.database.SqlInstant;
import io.muster.inventory.Node;
import io.muster.inventory.NodeCare;
import io.muster.model.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Takes a node out of service on which several jobs failed by the machine's fault: one job alone may be odd, three are
 * not. What runs there leaves through its checkpoint; a person returns the node when it has been checked.
 */
@Component
class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
    private static final int JOBS = 3;
    private static final Duration WITHIN = Duration.ofHours(1);

    private final JdbcClient jdbc;
    private final NodeCare care;
    private final MeterRegistry meters;
    /** When a node was last seen out of service: what failed before its return is forgiven. */
    private final Map<NodeId, Instant> lastOut = new HashMap<>();

    Quarantine(JdbcClient jdbc, NodeCare care, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.care = care;
        this.meters = meters;
    }

    private record Fault(NodeId node, long job, Instant at) {}

    /** Looks at the faults of the last hour. */
    void keep(List<Node> nodes, Instant now) {
        Map<NodeId, List<Fault>> faults = new HashMap<>();
        faults(now)
                .forEach(f ->
                        faults.computeIfAbsent(f.node(), n -> new ArrayList<>()).add(f));
        for (Node node : nodes) {
            if (node.cordon() != null) {
                lastOut.put(node.id(), now);
                continue;
            }
            Instant forgiven = lastOut.getOrDefault(node.id(), Instant.EPOCH);
            List<Long> jobs = faults.getOrDefault(node.id(), List.of()).stream()
                    .filter(f -> f.at().isAfter(forgiven))
                    .map(Fault::job)
                    .distinct()
                    .sorted()
                    .toList();
            if (jobs.size() >= JOBS) {
                quarantine(node.id(), jobs, now);
            }
        }
    }

    private List<Fault> faults(Instant now) {
        return jdbc.sql("""
                        select node, job_id, phase_at from replica
                        where failure in ('GPU_FAULT', 'ADMISSION') and phase_at > :since
                        """)
                .param("since", SqlInstant.of(now.minus(WITHIN)))
                .query((row, n) -> new Fault(
                        new NodeId(row.getString("node")), row.getLong("job_id"), SqlInstant.read(row, "phase_at")))
                .list();
    }

    private void quarantine(NodeId node, List<Long> jobs, Instant now) {
        String why = "Jobs "
                + jobs.stream()
                        .limit(10)
                        .map(String::valueOf)
                        .reduce((a, b) -> a + ", " + b)
                        .orElse("") + " failed there by the machine's fault within an hour.";
        LOG.error("Node {} is quarantined: {}", node, why);
        care.quarantine(null, "system", node, why);
        lastOut.put(node, now);
        meters.counter("muster.nodes.quarantined").increment();
    }
}
