package io.muster.tenancy;

import io.muster.audit.AuditTrail;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import jakarta.persistence.EntityManager;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What every editor of this package does the same way. */
@Component
class Edits {
    final EntityManager rows;
    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final ApplicationEventPublisher events;
    private final CachedTenancy tenancy;

    Edits(
            EntityManager rows,
            JdbcClient jdbc,
            AuditTrail audit,
            ApplicationEventPublisher events,
            CachedTenancy tenancy) {
        this.rows = rows;
        this.jdbc = jdbc;
        this.audit = audit;
        this.events = events;
        this.tenancy = tenancy;
    }

    /** Edits take turns: what one checked (a sum, the last admin) still holds when it commits. */
    TenancyState begin() {
        jdbc.sql("select revision from tenancy_revision for update")
                .query(Long.class)
                .single();
        return tenancy.state();
    }

    /** Writes what JPA still holds back, then the row of the trail. */
    void done(@Nullable UserId by, String action, String subject, @Nullable Object before, @Nullable Object after) {
        rows.flush();
        audit.append(by, action, subject, before, after, null);
    }

    void revoked(UserId user) {
        events.publishEvent(new AccessRevoked(user, null));
    }

    /** The state after what this transaction did. */
    TenancyState now() {
        rows.flush();
        return tenancy.state();
    }

    static Team team(TenancyState state, TeamId id) {
        return state.team(id).orElseThrow(() -> Refusal.notFound("team"));
    }

    static Team openTeam(TenancyState state, TeamId id) {
        Team team = team(state, id);
        if (team.archived()) throw Refusal.conflict("The team " + team.path() + " is archived.");
        return team;
    }

    /** @param seen what the editor read, or null: does not care */
    static void unchanged(@Nullable Long seen, long version) {
        if (seen != null && seen != version) throw Refusal.stale();
    }

    <E> Optional<E> find(Class<E> type, Object key) {
        return Optional.ofNullable(rows.find(type, key));
    }
}
