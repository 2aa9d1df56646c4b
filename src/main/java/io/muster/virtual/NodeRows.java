package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.simulation.FleetNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The rows of nodes. */
final class NodeRows {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final PodLosses losses;

    NodeRows(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.losses = new PodLosses(jdbc);
    }

    /** A node as it stands. */
    record Row(
            FleetNode node,
            long version,
            boolean deleted,
            @Nullable Instant failedAt,
            long outages) {
        boolean isLost() {
            return failedAt != null;
        }

        /** Whether a pod that is pinned to it would be let in, by everything but its size. */
        boolean takesPods() {
            return !deleted && !isLost() && node.ready() && !node.unschedulable();
        }
    }

    /** Makes the rows those of this fleet: nodes that it lacks are deleted, and what runs on them with them. */
    void become(List<FleetNode> fleet, Instant now) {
        transaction.executeWithoutResult(_ -> {
            jdbc.sql("select pg_advisory_xact_lock(hashtext('muster.virtual.fleet'))")
                    .query(_ -> {});
            Set<NodeId> wanted = fleet.stream().map(FleetNode::id).collect(Collectors.toSet());
            fleet.forEach(this::put);
            all().stream()
                    .filter(row -> !row.deleted() && !wanted.contains(row.node().id()))
                    .forEach(row -> delete(row.node().id(), now));
        });
    }

    private void put(FleetNode node) {
        jdbc.sql("""
                insert into virtual_node (node, spec) values (:node, :spec::jsonb)
                on conflict (node) do update
                set spec = excluded.spec, version = virtual_node.version + 1,
                    deleted = virtual_node.deleted and virtual_node.failed_at is not null
                where virtual_node.spec <> excluded.spec or virtual_node.deleted and virtual_node.failed_at is null
                """)
                .param("node", node.id().value())
                .param("spec", JSON.writeValueAsString(node))
                .update();
    }

    List<Row> all() {
        return jdbc.sql("select * from virtual_node order by node")
                .query(NodeRows::row)
                .list();
    }

    /** The nodes of which something has not been told. */
    List<Row> untold() {
        return jdbc.sql("select * from virtual_node where version > told_version order by node")
                .query(NodeRows::row)
                .list();
    }

    void told(List<Row> rows) {
        jdbc.sql("""
                update virtual_node n set told_version = greatest(told_version, d.version)
                from unnest(:nodes::text[], :versions::bigint[]) as d (node, version) where n.node = d.node
                """)
                .param("nodes", rows.stream().map(r -> r.node().id().value()).toArray(String[]::new))
                .param("versions", rows.stream().map(Row::version).toArray(Long[]::new))
                .update();
    }

    /** Locks nodes, in the order of their names, until the end of the transaction. */
    Map<NodeId, Row> lock(Collection<NodeId> nodes) {
        return jdbc
                .sql("select * from virtual_node where node = any(:nodes) order by node for update")
                .param("nodes", names(nodes))
                .query(NodeRows::row)
                .list()
                .stream()
                .collect(Collectors.toMap(r -> r.node().id(), Function.identity()));
    }

    /** What pods that have not ended hold of these nodes. */
    Map<NodeId, Resources> held(Collection<NodeId> nodes) {
        var held = new TreeMap<NodeId, Resources>();
        jdbc.sql("""
                select node, sum(gpus)::integer, sum(cpu_millis)::bigint, sum(memory_bytes)::bigint
                from virtual_pod where not ended and node = any(:nodes) group by node
                """).param("nodes", names(nodes)).query(row -> {
            held.put(new NodeId(row.getString(1)), new Resources(row.getInt(2), row.getLong(3), row.getLong(4)));
        });
        return held;
    }

    /** The machine stops. True when it did run. */
    boolean fail(NodeId node, Instant now, Instant givenUpAt, @Nullable Instant repairedAt) {
        return Boolean.TRUE.equals(transaction.execute(_ -> {
            int hit = jdbc.sql("""
                    update virtual_node set failed_at = :now, given_up_at = :gone, repaired_at = :repaired,
                        next_failure_at = null, outages = outages + 1, version = version + 1
                    where node = :node and failed_at is null and not deleted
                    """)
                    .param("node", node.value())
                    .param("now", SqlInstant.of(now))
                    .param("gone", SqlInstant.of(givenUpAt))
                    .param("repaired", repairedAt == null ? null : SqlInstant.of(repairedAt))
                    .update();
            if (hit == 1) {
                losses.lose(node, now);
            }
            return hit == 1;
        }));
    }

    /** The machine is back. True when it was away. */
    boolean restore(NodeId node, Instant now) {
        return Boolean.TRUE.equals(transaction.execute(_ -> {
            int hit = jdbc.sql("""
                    update virtual_node set failed_at = null, given_up_at = null, repaired_at = null, deleted = false,
                        version = version + 1
                    where node = :node and failed_at is not null
                    """).param("node", node.value()).update();
            if (hit == 1) {
                losses.prove(node, now, false);
            }
            return hit == 1;
        }));
    }

    /** The node's object goes, and its pods with it. */
    void delete(NodeId node, Instant now) {
        transaction.executeWithoutResult(_ -> {
            jdbc.sql("update virtual_node set deleted = true, given_up_at = null, version = version + 1 where node = ?")
                    .param(node.value())
                    .update();
            losses.lose(node, now);
            losses.prove(node, now, true);
        });
    }

    List<NodeId> givenUp(Instant now) {
        return named("select node from virtual_node where given_up_at <= :now and not deleted order by node", now);
    }

    List<NodeId> repaired(Instant now) {
        return named("select node from virtual_node where repaired_at <= :now order by node", now);
    }

    List<NodeId> dueToFail(Instant now) {
        return named(
                "select node from virtual_node where next_failure_at <= :now and failed_at is null order by node", now);
    }

    /** Nodes that run and whose next failure nobody has drawn yet. */
    List<Row> withoutNextFailure() {
        return jdbc.sql("""
                select * from virtual_node where next_failure_at is null and failed_at is null and not deleted order by node
                """).query(NodeRows::row).list();
    }

    void failsNext(NodeId node, Instant at) {
        jdbc.sql("update virtual_node set next_failure_at = ? where node = ?")
                .params(SqlInstant.of(at), node.value())
                .update();
    }

    private List<NodeId> named(String sql, Instant now) {
        return jdbc.sql(sql)
                .param("now", SqlInstant.of(now))
                .query((row, _) -> new NodeId(row.getString(1)))
                .list();
    }

    private static String[] names(Collection<NodeId> nodes) {
        return nodes.stream().map(NodeId::value).distinct().sorted().toArray(String[]::new);
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                JSON.readValue(row.getString("spec"), FleetNode.class),
                row.getLong("version"),
                row.getBoolean("deleted"),
                SqlInstant.readNullable(row, "failed_at"),
                row.getLong("outages"));
    }
}
