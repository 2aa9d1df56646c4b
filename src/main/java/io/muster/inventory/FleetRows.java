package io.muster.inventory;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Loads the tables of inventory as they are now, and reads their JSON. */
final class FleetRows {
    private static final Logger LOG = LoggerFactory.getLogger(FleetRows.class);

    /** Without labels, taints and amounts as reported: they are long, and only matching reads them. */
    private static final String NODE = "select id, pool, gpu_type, capacity_gpus, gpus, cpu_millis, memory_bytes,"
            + " foreign_gpus, foreign_cpu_millis, foreign_memory_bytes, domain, ready, reachable, unschedulable,"
            + " cordon, cordon_by, cordon_at, cordon_why, cordon_deadline, problems, seen_at from node where ";

    private static final String ASSIGNED = "gone_at is null and pool is not null and gpu_type is not null";

    private final JdbcClient jdbc;
    private final JsonMapper json = JsonMapper.builder().build();

    FleetRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A row that cannot be read keeps nobody from the others; such a node is of no use and says why. */
    FleetState load() {
        var unassigned = new ArrayList<UnassignedNode>();
        jdbc.sql(NODE + "gone_at is null and not (" + ASSIGNED + ") order by id")
                .query(row -> {
                    read(row, FleetRows::unassigned).ifPresent(unassigned::add);
                });
        var nodes = new ArrayList<Node>();
        jdbc.sql(NODE + ASSIGNED + " order by id").query(row -> {
            try {
                nodes.add(node(row));
            } catch (RuntimeException | SQLException e) {
                unassigned.add(unreadable(row, e));
            }
        });
        return new FleetState(pools(), types(), nodes, unassigned);
    }

    private static UnassignedNode unreadable(ResultSet row, Exception e) throws SQLException {
        var id = new NodeId(row.getString("id"));
        LOG.error("Node {} cannot be read and is left out", id, e);
        return new UnassignedNode(
                id,
                new PoolId(row.getString("pool")),
                List.of("its row cannot be read: " + e.getMessage()),
                instant(row, "seen_at"));
    }

    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** An error of the connection is one at the id as well, and is thrown from there. */
    private static <T> Optional<T> read(ResultSet row, Reading<T> reading) throws SQLException {
        try {
            return Optional.of(reading.read(row));
        } catch (RuntimeException | SQLException e) {
            LOG.error("{} of the inventory cannot be read and is left out", row.getString("id"), e);
            return Optional.empty();
        }
    }

    List<FleetState.Versioned<Pool>> pools() {
        var pools = new ArrayList<FleetState.Versioned<Pool>>();
        jdbc.sql("select id, display_name, selector::text, levels::text, profile::text, micros_per_gpu_hour,"
                        + " version from pool order by id")
                .query(row -> {
                    read(row, r -> new FleetState.Versioned<>(pool(r), r.getLong("version")))
                            .ifPresent(pools::add);
                });
        return pools;
    }

    List<FleetState.Versioned<GpuType>> types() {
        return jdbc.sql("select * from gpu_type order by id")
                .query((row, n) -> new FleetState.Versioned<>(
                        new GpuType(
                                new GpuTypeId(row.getString("id")),
                                row.getLong("memory_mib"),
                                row.getString("resource_name"),
                                strings(row, "products")),
                        row.getLong("version")))
                .list();
    }

    /** Every node that is there, as it was last reported. */
    List<NodeReport> reports() {
        return jdbc.sql("select id, labels::text, taints::text, allocatable::text, ready, cluster_unschedulable,"
                        + " bad_conditions, seen_at from node where gone_at is null order by id")
                .query((row, n) -> new NodeReport(
                        new NodeId(row.getString("id")),
                        json.readValue(row.getString("labels"), new TypeReference<Map<String, String>>() {}),
                        json.readValue(row.getString("taints"), new TypeReference<List<NodeReport.Taint>>() {}),
                        json.readValue(row.getString("allocatable"), new TypeReference<Map<String, Long>>() {}),
                        row.getBoolean("ready"),
                        row.getBoolean("cluster_unschedulable"),
                        strings(row, "bad_conditions"),
                        instant(row, "seen_at")))
                .list();
    }

    String text(Object value) {
        return json.writeValueAsString(value);
    }

    private Pool pool(ResultSet row) throws SQLException {
        return new Pool(
                new PoolId(row.getString("id")),
                row.getString("display_name"),
                json.readValue(row.getString("selector"), new TypeReference<Map<String, String>>() {}),
                json.readValue(row.getString("levels"), new TypeReference<List<Pool.Level>>() {}),
                json.readValue(row.getString("profile"), PodProfile.class),
                row.getLong("micros_per_gpu_hour"));
    }

    private static Node node(ResultSet row) throws SQLException {
        var node = new Node(
                new NodeId(row.getString("id")),
                new PoolId(row.getString("pool")),
                new GpuTypeId(row.getString("gpu_type")),
                row.getInt("capacity_gpus"),
                new Resources(row.getInt("gpus"), row.getLong("cpu_millis"), row.getLong("memory_bytes")),
                new Resources(
                        row.getInt("foreign_gpus"),
                        row.getLong("foreign_cpu_millis"),
                        row.getLong("foreign_memory_bytes")),
                new DomainPath(strings(row, "domain")),
                row.getBoolean("ready"),
                row.getBoolean("reachable"),
                row.getBoolean("unschedulable"),
                cordon(row),
                strings(row, "problems"),
                instant(row, "seen_at"));
        if (!Resources.NONE.fitsIn(node.allocatable()) || !Resources.NONE.fitsIn(node.foreign())) {
            throw new IllegalArgumentException(
                    "it offers " + node.allocatable() + ", of which others hold " + node.foreign());
        }
        return node;
    }

    private static UnassignedNode unassigned(ResultSet row) throws SQLException {
        String pool = row.getString("pool");
        return new UnassignedNode(
                new NodeId(row.getString("id")),
                pool == null ? null : new PoolId(pool),
                strings(row, "problems"),
                instant(row, "seen_at"));
    }

    static Node.@Nullable Cordon cordon(ResultSet row) throws SQLException {
        String kind = row.getString("cordon");
        if (kind == null) return null;
        OffsetDateTime deadline = row.getObject("cordon_deadline", OffsetDateTime.class);
        return new Node.Cordon(
                Node.Cordon.Kind.valueOf(kind),
                row.getString("cordon_by"),
                instant(row, "cordon_at"),
                row.getString("cordon_why"),
                deadline == null ? null : deadline.toInstant());
    }

    private static List<String> strings(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
