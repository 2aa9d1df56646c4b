package io.muster.policy;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Loads the tables of policy as they are now. */
final class PolicyRows {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyRows.class);
    private static final String REVISION = "select number, body::text, since, by, why from policy_revision";

    private final JdbcClient jdbc;
    private final PolicyBody bodies = new PolicyBody();

    PolicyRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    PolicyState load() {
        List<ModeEntry> entries = entries();
        return new PolicyState(current(), classes(), granted(), mode(entries), entries);
    }

    /** The newest that can be read and makes sense; as shipped when there is none, for some policy is always in force. */
    private PolicyRevision current() {
        long before = Long.MAX_VALUE;
        while (true) {
            Optional<Stored> stored = jdbc.sql(REVISION + " where number < ? order by number desc limit 1")
                    .param(before)
                    .query((row, n) -> stored(row))
                    .optional();
            if (stored.isEmpty()) {
                return new PolicyRevision(0, PolicyValues.SHIPPED, Instant.EPOCH, "system", "no revision can be read");
            }
            try {
                PolicyRevision revision = revision(stored.get());
                PolicyLimits.check(revision.values());
                return revision;
            } catch (RuntimeException e) {
                before = stored.get().number();
                LOG.error("Revision {} of the policy cannot be read; the one before stays in force", before, e);
            }
        }
    }

    private record Stored(long number, String body, Instant since, String by, String why) {}

    private static Stored stored(ResultSet row) throws SQLException {
        return new Stored(
                row.getLong("number"),
                row.getString("body"),
                instant(row, "since"),
                row.getString("by"),
                row.getString("why"));
    }

    private PolicyRevision revision(Stored s) {
        return new PolicyRevision(s.number(), bodies.read(s.body()), s.since(), s.by(), s.why());
    }

    /** Newest first. */
    List<PolicyRevision> revisions(int limit) {
        return jdbc.sql(REVISION + " order by number desc limit ?")
                .param(limit)
                .query((row, n) -> revision(stored(row)))
                .list();
    }

    private List<PriorityClass> classes() {
        var caps = new HashMap<String, Map<PoolId, Integer>>();
        jdbc.sql("select class, pool, gpus from priority_class_cap").query(row -> {
            caps.computeIfAbsent(row.getString(1), c -> new HashMap<>())
                    .put(new PoolId(row.getString(2)), row.getInt(3));
        });
        return jdbc.sql("select name, value, usable_by, across_teams from priority_class order by value desc, name")
                .query((row, n) -> new PriorityClass(
                        row.getString(1),
                        row.getInt(2),
                        PriorityClass.UsableBy.valueOf(row.getString(3)),
                        row.getBoolean(4),
                        caps.getOrDefault(row.getString(1), Map.of())))
                .list();
    }

    /** A grant reaches down the tree. */
    private Map<String, Set<TeamId>> granted() {
        var granted = new HashMap<String, Set<TeamId>>();
        jdbc.sql("""
                with recursive reach (class, team_id) as (
                    select class, team_id from priority_class_grant
                    union
                    select reach.class, team.id from reach join team on team.parent_id = reach.team_id
                )
                select class, team_id from reach""").query(row -> {
            granted.computeIfAbsent(row.getString(1), c -> new HashSet<>())
                    .add(new TeamId(row.getObject(2, UUID.class)));
        });
        return granted;
    }

    private List<ModeEntry> entries() {
        return jdbc.sql("""
                select id, mode, pool, team_id, by, since, why from operating_mode
                where ended_at is null order by id""")
                .query((row, n) -> new ModeEntry(
                        row.getLong("id"),
                        ModeEntry.Mode.valueOf(row.getString("mode")),
                        pool(row.getString("pool")),
                        team(row.getObject("team_id", UUID.class)),
                        row.getString("by"),
                        instant(row, "since"),
                        row.getString("why")))
                .list();
    }

    private static OperatingMode mode(List<ModeEntry> entries) {
        var pools = new HashMap<PoolId, OperatingMode.Entry>();
        var teams = new HashMap<TeamId, OperatingMode.Entry>();
        for (ModeEntry e : entries) {
            if (e.pool() != null) pools.put(e.pool(), plain(e));
            if (e.team() != null) teams.put(e.team(), plain(e));
        }
        return new OperatingMode(
                first(entries, e -> e.mode() == ModeEntry.Mode.PAUSED && e.pool() == null && e.team() == null),
                first(entries, e -> e.mode() == ModeEntry.Mode.FROZEN),
                first(entries, e -> e.mode() == ModeEntry.Mode.SAFE),
                pools,
                teams);
    }

    private static OperatingMode.@Nullable Entry first(List<ModeEntry> entries, Predicate<ModeEntry> which) {
        return entries.stream().filter(which).findFirst().map(PolicyRows::plain).orElse(null);
    }

    private static OperatingMode.Entry plain(ModeEntry e) {
        return new OperatingMode.Entry(e.by(), e.since(), e.why());
    }

    private static @Nullable PoolId pool(@Nullable String id) {
        return id == null ? null : new PoolId(id);
    }

    private static @Nullable TeamId team(@Nullable UUID id) {
        return id == null ? null : new TeamId(id);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
