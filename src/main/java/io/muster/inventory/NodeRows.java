package io.muster.inventory;

import io.muster.model.NodeId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes rows of nodes; the columns that admins set are not touched here. */
@Component
class NodeRows {
    /** A report that says nothing new is written at most this often, in seconds. */
    private static final int HEARTBEAT_SECONDS = 15;

    private static final String WRITE = """
            insert into node as old (id, pool, gpu_type, labels, taints, allocatable, capacity_gpus, gpus, cpu_millis,
                memory_bytes, domain, ready, reachable, unschedulable, cluster_unschedulable, bad_conditions,
                problems, seen_at)
            values (:id, :pool, :type, :labels::jsonb, :taints::jsonb, :allocatable::jsonb, :gpus, :gpus, :cpu,
                :memory, :domain, :ready, :reachable, :unschedulable, :clusterUnschedulable, :conditions,
                :problems, :at)
            on conflict (id) do update set pool = excluded.pool, gpu_type = excluded.gpu_type,
                labels = excluded.labels, taints = excluded.taints, allocatable = excluded.allocatable,
                capacity_gpus = case when old.gpu_type is not distinct from excluded.gpu_type
                    then greatest(old.capacity_gpus, excluded.gpus) else excluded.gpus end,
                gpus = excluded.gpus, cpu_millis = excluded.cpu_millis, memory_bytes = excluded.memory_bytes,
                domain = excluded.domain, ready = excluded.ready, reachable = excluded.reachable,
                unschedulable = excluded.unschedulable, cluster_unschedulable = excluded.cluster_unschedulable,
                bad_conditions = excluded.bad_conditions, problems = excluded.problems,
                seen_at = excluded.seen_at, gone_at = null
            where old.gone_at is not null
                or old.seen_at < excluded.seen_at - make_interval(secs => :heartbeat)
                or (old.pool, old.gpu_type, old.labels, old.taints, old.allocatable, old.domain, old.ready,
                    old.reachable, old.unschedulable, old.cluster_unschedulable, old.bad_conditions, old.problems)
                is distinct from (excluded.pool, excluded.gpu_type, excluded.labels, excluded.taints,
                    excluded.allocatable, excluded.domain, excluded.ready, excluded.reachable,
                    excluded.unschedulable, excluded.cluster_unschedulable, excluded.bad_conditions,
                    excluded.problems)""";

    private final JdbcClient jdbc;
    private final FleetRows fleet;

    NodeRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.fleet = new FleetRows(jdbc);
    }

    void write(NodeReport report, NodeMatching.Match match) {
        jdbc.sql(WRITE)
                .param("id", report.node().value())
                .param("pool", match.pool() == null ? null : match.pool().id().value())
                .param("type", match.type() == null ? null : match.type().id().value())
                .param("labels", fleet.text(report.labels()))
                .param("taints", fleet.text(report.taints()))
                .param("allocatable", fleet.text(report.allocatable()))
                .param("gpus", match.gpus())
                .param("cpu", report.allocatable().getOrDefault("cpu", 0L))
                .param("memory", report.allocatable().getOrDefault("memory", 0L))
                .param("domain", match.domain().names().toArray(String[]::new))
                .param("ready", report.ready() && report.badConditions().isEmpty())
                .param("reachable", match.reachable())
                .param("unschedulable", match.unschedulable())
                .param("clusterUnschedulable", report.unschedulable())
                .param("conditions", report.badConditions().toArray(String[]::new))
                .param("problems", match.problems().toArray(String[]::new))
                .param("at", OffsetDateTime.ofInstant(report.at(), ZoneOffset.UTC))
                .param("heartbeat", HEARTBEAT_SECONDS)
                .update();
    }

    void gone(NodeId node, Instant at) {
        jdbc.sql("update node set gone_at = ?, ready = false where id = ? and gone_at is null")
                .params(OffsetDateTime.ofInstant(at, ZoneOffset.UTC), node.value())
                .update();
    }

    /** Applies changed pools or types to every node that is there. */
    void rematch() {
        var matching = new NodeMatching(
                fleet.pools().stream().map(FleetState.Versioned::value).toList(),
                fleet.types().stream().map(FleetState.Versioned::value).toList());
        fleet.reports().forEach(report -> write(report, matching.match(report)));
    }
}
