package io.muster.inventory;

import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Writes what the cluster says of nodes, together with what follows from it. */
@Component
@Transactional
class StoredNodeReports implements NodeReports {
    private final JdbcClient jdbc;
    private final Catalogue catalogue;
    private final NodeRows rows;

    StoredNodeReports(JdbcClient jdbc, Catalogue catalogue, NodeRows rows) {
        this.jdbc = jdbc;
        this.catalogue = catalogue;
        this.rows = rows;
    }

    @Override
    public void seen(NodeReport report) {
        FleetAdmin.keepCatalogue(jdbc);
        rows.write(report, catalogue.matching().match(report));
    }

    @Override
    public void gone(NodeId node, Instant at) {
        rows.gone(node, at);
    }

    @Override
    public void foreign(NodeId node, Resources used, Instant at) {
        jdbc.sql("""
                update node set foreign_gpus = :gpus, foreign_cpu_millis = :cpu, foreign_memory_bytes = :memory
                where id = :id and (foreign_gpus, foreign_cpu_millis, foreign_memory_bytes)
                    is distinct from (:gpus, :cpu, :memory)""")
                .param("id", node.value())
                .param("gpus", used.gpus())
                .param("cpu", used.cpuMillis())
                .param("memory", used.memoryBytes())
                .update();
    }

    @Override
    public void fullList(Set<NodeId> nodes, Instant at) {
        // A node reported after the list was made is not gone because the list lacks it.
        jdbc.sql("""
                update node set gone_at = :at, ready = false
                where gone_at is null and seen_at <= :at and not (id = any(:ids))""")
                .param("at", OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
                .param("ids", nodes.stream().map(NodeId::value).toArray(String[]::new))
                .update();
    }
}
