package io.muster.policy;

import io.muster.audit.AuditTrail;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes the policy: revisions, priority classes with their caps and grants. {@code by} is null for the system;
 * {@code name} is what people read in the row.
 */
@Component
@Transactional
public class PolicyAdmin {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final int MOST_VALUE = 1_000_000;

    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final Clock clock;
    private final PolicyRows rows;
    private final PolicyBody bodies = new PolicyBody();

    PolicyAdmin(JdbcClient jdbc, AuditTrail audit, Clock clock) {
        this.jdbc = jdbc;
        this.audit = audit;
        this.clock = clock;
        this.rows = new PolicyRows(jdbc);
    }

    /** A priority class as admins set it, and the teams it is granted to. */
    public record ClassWish(
            String name,
            int value,
            PriorityClass.UsableBy usableBy,
            boolean acrossTeams,
            Map<PoolId, Integer> caps,
            Set<TeamId> grants) {
        public ClassWish {
            caps = Map.copyOf(caps);
            grants = Set.copyOf(grants);
        }
    }

    @Transactional(readOnly = true)
    public List<PolicyRevision> revisions(int limit) {
        return rows.revisions(limit);
    }

    /** A new revision, in force from the next cycle on. */
    public PolicyRevision revise(@Nullable UserId by, String name, PolicyValues values, String why) {
        begin();
        PolicyLimits.check(values);
        PolicyRevision before = rows.revisions(1).getFirst();
        jdbc.sql("insert into policy_revision (body, since, by, why) values (:body::jsonb, :since, :by, :why)")
                .param("body", bodies.write(values))
                .param("since", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .param("by", name)
                .param("why", reason(why))
                .update();
        PolicyRevision after = rows.revisions(1).getFirst();
        audit.append(by, "policy.revise", "policy:" + after.number(), before.values(), values, why);
        return after;
    }

    /** Makes the class or changes it; what was submitted with it follows. */
    public void setClass(@Nullable UserId by, String name, ClassWish wish) {
        begin();
        check(wish);
        Object before = shown(wish.name());
        jdbc.sql("""
                insert into priority_class (name, value, usable_by, across_teams)
                values (:name, :value, :usable, :across)
                on conflict (name) do update set value = excluded.value, usable_by = excluded.usable_by,
                    across_teams = excluded.across_teams, version = priority_class.version + 1""")
                .param("name", wish.name())
                .param("value", wish.value())
                .param("usable", wish.usableBy().name())
                .param("across", wish.acrossTeams())
                .update();
        setCaps(wish);
        setGrants(name, wish);
        audit.append(by, "priority-class.set", "priority-class:" + wish.name(), before, shown(wish.name()), null);
    }

    /** Grants the class to a team and those below it, if it is not granted yet. */
    public void ensureGrant(@Nullable UserId by, String name, String priorityClass, TeamId team) {
        begin();
        int rows = jdbc.sql("""
                insert into priority_class_grant (class, team_id, granted_by) values (?, ?, ?)
                on conflict do nothing""").params(priorityClass, team.value(), name).update();
        if (rows > 0) {
            var subject = "priority-class:" + priorityClass;
            audit.append(by, "priority-class.grant", subject, null, Map.of("team", team.value()), null);
        }
    }

    /** Sets how many GPUs of a pool jobs of the class may take from other teams. */
    public void ensureCap(@Nullable UserId by, String priorityClass, PoolId pool, int gpus) {
        begin();
        int rows = jdbc.sql("""
                insert into priority_class_cap (class, pool, gpus) values (?, ?, ?)
                on conflict (class, pool) do update set gpus = excluded.gpus
                where priority_class_cap.gpus <> excluded.gpus""").params(priorityClass, pool.value(), gpus).update();
        if (rows > 0) {
            var subject = "priority-class:" + priorityClass;
            audit.append(by, "priority-class.cap", subject, null, Map.of("pool", pool.value(), "gpus", gpus), null);
        }
    }

    /** Teams to which the class is granted, without those below them. */
    @Transactional(readOnly = true)
    public Set<TeamId> grants(String priorityClass) {
        return jdbc
                .sql("select team_id from priority_class_grant where class = ?")
                .param(priorityClass)
                .query((row, n) -> new TeamId(row.getObject(1, UUID.class)))
                .list()
                .stream()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void begin() {
        jdbc.sql("select revision from policy_change for update")
                .query(Long.class)
                .single();
    }

    private void setCaps(ClassWish wish) {
        jdbc.sql("delete from priority_class_cap where class = ?")
                .param(wish.name())
                .update();
        wish.caps()
                .forEach((pool, gpus) -> jdbc.sql("insert into priority_class_cap (class, pool, gpus) values (?, ?, ?)")
                        .params(wish.name(), pool.value(), gpus)
                        .update());
    }

    private void setGrants(String by, ClassWish wish) {
        Set<TeamId> had = grants(wish.name());
        had.stream()
                .filter(t -> !wish.grants().contains(t))
                .forEach(team -> jdbc.sql("delete from priority_class_grant where class = ? and team_id = ?")
                        .params(wish.name(), team.value())
                        .update());
        wish.grants().stream()
                .filter(t -> !had.contains(t))
                .forEach(team -> jdbc.sql(
                                "insert into priority_class_grant (class, team_id, granted_by) values (?, ?, ?)")
                        .params(wish.name(), team.value(), by)
                        .update());
    }

    private static void check(ClassWish wish) {
        if (!NAME.matcher(wish.name()).matches()) {
            throw Refusal.invalid("name", "must be 1 to 63 lower-case letters, digits or '-'");
        }
        if (Math.abs((long) wish.value()) > MOST_VALUE) {
            throw Refusal.invalid("value", "must be between -" + MOST_VALUE + " and " + MOST_VALUE);
        }
        wish.caps().forEach((pool, gpus) -> {
            if (gpus < 0 || gpus > MOST_VALUE) {
                throw Refusal.invalid("caps." + pool, "must be between 0 and " + MOST_VALUE);
            }
        });
    }

    private @Nullable Object shown(String name) {
        return jdbc.sql("select value, usable_by, across_teams from priority_class where name = ?")
                .param(name)
                .query((row, n) -> Map.of(
                        "value", row.getInt(1),
                        "usableBy", row.getString(2),
                        "acrossTeams", row.getBoolean(3),
                        "caps", caps(name),
                        "grants",
                                grants(name).stream()
                                        .map(t -> t.value().toString())
                                        .toList()))
                .optional()
                .orElse(null);
    }

    private Map<String, Integer> caps(String name) {
        var caps = new TreeMap<String, Integer>();
        jdbc.sql("select pool, gpus from priority_class_cap where class = ?")
                .param(name)
                .query(row -> {
                    caps.put(row.getString(1), row.getInt(2));
                });
        return caps;
    }

    static String reason(String why) {
        String text = why.strip();
        if (text.isEmpty() || text.length() > 500) throw Refusal.invalid("why", "must be 1 to 500 characters");
        return text;
    }
}
