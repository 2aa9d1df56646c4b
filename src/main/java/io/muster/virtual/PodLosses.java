package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.model.NodeId;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes on pods that their node was lost. As with every change, it takes effect after all that has or may have been
 * told of their attempt.
 */
final class PodLosses {
    private static final String HIT = """
            with locked as (
                select job_id, attempt from virtual_attempt
                where (job_id, attempt) in (select job_id, attempt from virtual_pod where node = :node and not gone)
                order by job_id, attempt for update),
            hit as (
                update virtual_attempt a
                set version = version + 1,
                    next_due_at = least(a.next_due_at, greatest(:now, a.telling_until + interval '1 ms'))
                from locked where a.job_id = locked.job_id and a.attempt = locked.attempt
                returning a.job_id, a.attempt, greatest(:now, a.telling_until + interval '1 ms') as at)
            """;

    private final JdbcClient jdbc;

    PodLosses(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void lose(NodeId node, Instant now) {
        run(HIT + """
                update virtual_pod p set lost_at = hit.at from hit
                where p.job_id = hit.job_id and p.attempt = hit.attempt and p.node = :node
                    and not p.gone and p.lost_at is null
                """, node, now, false);
    }

    void prove(NodeId node, Instant now, boolean nodeDeleted) {
        run(HIT + """
                update virtual_pod p set lost_proven_at = hit.at, node_deleted = :deleted from hit
                where p.job_id = hit.job_id and p.attempt = hit.attempt and p.node = :node
                    and not p.gone and p.lost_at is not null and p.lost_proven_at is null
                """, node, now, nodeDeleted);
    }

    private void run(String sql, NodeId node, Instant now, boolean nodeDeleted) {
        jdbc.sql(sql)
                .param("node", node.value())
                .param("now", SqlInstant.of(now))
                .param("deleted", nodeDeleted)
                .update();
    }
}
