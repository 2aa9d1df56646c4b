package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Loads the tables of tenancy as they are now. */
final class TenancyRows {
    private static final Logger LOG = LoggerFactory.getLogger(TenancyRows.class);

    private final JdbcClient jdbc;

    TenancyRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    TenancyState load() {
        return new TenancyState(
                jdbc.sql("select t.*, row_number() over (order by created_at, id) - 1 as ordinal from team t"
                                + " order by path")
                        .query(TenancyRows::team)
                        .list(),
                quotas(),
                jdbc.sql("select * from team_defaults")
                        .query(TenancyRows::defaults)
                        .list(),
                jdbc.sql("select * from team_volume order by team_id, name")
                        .query(TenancyRows::volume)
                        .list(),
                jdbc.sql("select * from principal").query(TenancyRows::person).list(),
                jdbc.sql("select * from membership order by team_id, principal_id")
                        .query(TenancyRows::membership)
                        .list());
    }

    /** One that cannot be read gives its team nothing there, and keeps nobody from theirs. */
    private List<TenancyState.VersionedQuota> quotas() {
        var quotas = new ArrayList<TenancyState.VersionedQuota>();
        jdbc.sql("select * from quota order by team_id, pool").query(row -> {
            try {
                quotas.add(quota(row));
            } catch (RuntimeException e) {
                LOG.error(
                        "The quota of team {} in pool {} is left out",
                        row.getString("team_id"),
                        row.getString("pool"),
                        e);
            }
        });
        return quotas;
    }

    private static TenancyState.VersionedTeam team(ResultSet row, int n) throws SQLException {
        var team = new Team(
                teamId(row, "id"),
                nullableTeam(row, "parent_id"),
                new TeamPath(row.getString("path")),
                row.getString("display_name"),
                row.getObject("archived_at") != null,
                row.getInt("ordinal"));
        return new TenancyState.VersionedTeam(team, row.getLong("version"));
    }

    private static TenancyState.VersionedQuota quota(ResultSet row) throws SQLException {
        var quota = new TeamQuota(
                teamId(row, "team_id"),
                new PoolId(row.getString("pool")),
                row.getInt("guaranteed"),
                row.getObject("gpu_limit", Integer.class),
                row.getObject("lendable", Integer.class),
                row.getInt("weight"),
                ShapesText.read(row.getString("shapes")));
        if (quota.guaranteed() < 0 || quota.weight() < 1 || isNegative(quota.limit()) || isNegative(quota.lendable())) {
            throw new IllegalArgumentException("no such quota can be: " + quota);
        }
        return new TenancyState.VersionedQuota(quota, row.getLong("version"));
    }

    private static boolean isNegative(@Nullable Integer gpus) {
        return gpus != null && gpus < 0;
    }

    private static TenancyState.VersionedDefaults defaults(ResultSet row, int n) throws SQLException {
        var defaults = new TeamDefaults(
                row.getObject("cpu_millis_per_gpu", Long.class),
                row.getObject("memory_bytes_per_gpu", Long.class),
                row.getObject("shared_memory_bytes", Long.class),
                seconds(row.getObject("walltime_seconds", Long.class)),
                seconds(row.getObject("max_walltime_seconds", Long.class)),
                List.of((String[]) row.getArray("image_allowlist").getArray()),
                row.getObject("user_gpu_cap", Integer.class),
                row.getObject("user_queue_cap", Integer.class),
                order(row.getString("job_order")));
        return new TenancyState.VersionedDefaults(teamId(row, "team_id"), defaults, row.getLong("version"));
    }

    private static @Nullable TeamOrder order(@Nullable String name) {
        return name == null ? null : TeamOrder.valueOf(name);
    }

    private static TeamVolume volume(ResultSet row, int n) throws SQLException {
        return new TeamVolume(
                teamId(row, "team_id"),
                row.getString("name"),
                row.getString("claim"),
                row.getString("sub_path"),
                row.getBoolean("read_only"));
    }

    private static Person person(ResultSet row, int n) throws SQLException {
        return new Person(
                new UserId(row.getObject("id", UUID.class)),
                row.getString("username"),
                row.getString("display_name"),
                row.getBoolean("platform_admin"),
                row.getObject("disabled_at") != null,
                nullableTeam(row, "team_id"));
    }

    private static Membership membership(ResultSet row, int n) throws SQLException {
        return new Membership(
                teamId(row, "team_id"),
                new UserId(row.getObject("principal_id", UUID.class)),
                Role.valueOf(row.getString("role")),
                row.getString("source"));
    }

    private static TeamId teamId(ResultSet row, String column) throws SQLException {
        return new TeamId(row.getObject(column, UUID.class));
    }

    private static @Nullable TeamId nullableTeam(ResultSet row, String column) throws SQLException {
        UUID id = row.getObject(column, UUID.class);
        return id == null ? null : new TeamId(id);
    }

    private static @Nullable Duration seconds(@Nullable Long seconds) {
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }
}
