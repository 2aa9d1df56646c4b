package io.muster.policy;

import io.muster.audit.AuditTrail;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Orders and ends the operating modes; each order is a row with who, when and why, and stays after its end. */
@Component
@Transactional
public class ModeSwitch {
    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final Clock clock;
    private final CachedPolicyBook book;

    ModeSwitch(JdbcClient jdbc, AuditTrail audit, Clock clock, CachedPolicyBook book) {
        this.jdbc = jdbc;
        this.audit = audit;
        this.clock = clock;
        this.book = book;
    }

    @Transactional(readOnly = true)
    public List<ModeEntry> inForce() {
        return book.state().entries();
    }

    @Transactional(readOnly = true)
    public Optional<ModeEntry> inForce(long id) {
        return inForce().stream().filter(e -> e.id() == id).findFirst();
    }

    /** @param pool pauses that pool only; @param team pauses that team and those below it only */
    public void order(
            @Nullable UserId by,
            String name,
            ModeEntry.Mode mode,
            @Nullable PoolId pool,
            @Nullable TeamId team,
            String why) {
        begin();
        if (pool != null && team != null) throw Refusal.invalid("team", "give a pool or a team, not both");
        if (mode != ModeEntry.Mode.PAUSED && (pool != null || team != null)) {
            throw Refusal.invalid(pool != null ? "pool" : "team", "only PAUSED can be for a pool or a team");
        }
        boolean there = inForce().stream()
                .anyMatch(e -> e.mode() == mode
                        && java.util.Objects.equals(e.pool(), pool)
                        && java.util.Objects.equals(e.team(), team));
        if (there) throw Refusal.conflict("This is in force already.");
        long id = jdbc.sql("""
                insert into operating_mode (mode, pool, team_id, by, since, why)
                values (:mode, :pool, :team::uuid, :by, :since, :why) returning id""")
                .param("mode", mode.name())
                .param("pool", pool == null ? null : pool.value())
                .param("team", team == null ? null : team.toString())
                .param("by", name)
                .param("since", now())
                .param("why", PolicyAdmin.reason(why))
                .query(Long.class)
                .single();
        audit.append(by, "mode.order", "mode:" + id, null, shown(mode, pool, team), why);
    }

    public void end(@Nullable UserId by, String name, long id, String why) {
        begin();
        ModeEntry entry = inForce(id).orElseThrow(() -> Refusal.notFound("order in force"));
        jdbc.sql("update operating_mode set ended_at = ?, ended_by = ?, ended_why = ? where id = ?")
                .params(now(), name, PolicyAdmin.reason(why), id)
                .update();
        audit.append(by, "mode.end", "mode:" + id, shown(entry.mode(), entry.pool(), entry.team()), null, why);
    }

    private void begin() {
        jdbc.sql("select revision from policy_change for update")
                .query(Long.class)
                .single();
    }

    private OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static Map<String, Object> shown(ModeEntry.Mode mode, @Nullable PoolId pool, @Nullable TeamId team) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("mode", mode.name());
        if (pool != null) shown.put("pool", pool.value());
        if (team != null) shown.put("team", team.value().toString());
        return shown;
    }
}
