package io.muster.job;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.TeamId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Who holds which GPUs, by the ledger, and what is kept for whom. */
@Component
public class NodeHoldings {
    private final JdbcClient jdbc;

    NodeHoldings(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** GPUs of a job on a node; {@code reserved}: kept for it, not in use yet. */
    public record Holding(NodeId node, JobId job, TeamId team, String name, int gpus, boolean reserved) {}

    /** On some nodes, by node, in use before reserved, by job. */
    public List<Holding> on(Collection<NodeId> nodes) {
        return nodes.isEmpty() ? List.of() : query("= any(:nodes)", nodes);
    }

    /** On every node. */
    public List<Holding> everywhere() {
        return query("is not null", List.of());
    }

    /** GPUs in use by node; a node without any is not there. */
    public Map<NodeId, Integer> gpus(Collection<NodeId> nodes) {
        return on(nodes).stream()
                .filter(h -> !h.reserved())
                .collect(Collectors.groupingBy(Holding::node, Collectors.summingInt(Holding::gpus)));
    }

    private List<Holding> query(String which, Collection<NodeId> nodes) {
        return jdbc.sql("""
                        select h.node, h.job_id, h.gpus, h.reserved, j.team_id, j.name
                        from (
                            select node, job_id, sum(gpus)::int as gpus, false as reserved from replica
                            where released_at is null and node %1$s group by node, job_id
                            union all
                            select p.node, r.job_id, sum(p.gpus)::int, true from reservation_place p
                            join reservation r on r.id = p.reservation_id
                            where r.kind = 'VICTIMS' and p.node %1$s group by p.node, r.job_id
                        ) h join job j on j.id = h.job_id
                        where h.gpus > 0
                        order by h.node, h.reserved, h.job_id
                        """.formatted(which))
                .params(
                        nodes.isEmpty()
                                ? Map.of()
                                : Map.of(
                                        "nodes",
                                        nodes.stream().map(NodeId::value).toArray(String[]::new)))
                .query((row, n) -> new Holding(
                        new NodeId(row.getString("node")),
                        new JobId(row.getLong("job_id")),
                        new TeamId(Objects.requireNonNull(row.getObject("team_id", UUID.class))),
                        row.getString("name"),
                        row.getInt("gpus"),
                        row.getBoolean("reserved")))
                .list();
    }
}
