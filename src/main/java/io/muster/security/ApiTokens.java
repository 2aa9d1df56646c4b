package io.muster.security;

import io.muster.audit.AuditTrail;
import io.muster.database.Sight;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.tenancy.AccessRevoked;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Makes, lists, finds and revokes API tokens. Times are the database's. */
@Component
public class ApiTokens {
    static final String PREFIX = "mst_";
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int MOST = 100;
    private static final String COLUMNS = "select id, principal_id, name, prefix, scope, team_id, created_at,"
            + " expires_at, last_used_at, revoked_at, expires_at <= clock_timestamp() as expired from api_token ";

    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final ApplicationEventPublisher events;

    ApiTokens(JdbcClient jdbc, AuditTrail audit, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.audit = audit;
        this.events = events;
    }

    /** A token as it was shown, whether it still works or not. */
    record Shown(ApiToken token, boolean expired) {}

    @Transactional
    public ApiToken.Created create(
            UserId by, UserId owner, String name, TokenScope scope, @Nullable TeamId team, Duration expiresIn) {
        String label = name.strip();
        if (label.isEmpty() || label.length() > 80 || label.chars().anyMatch(Character::isISOControl)) {
            throw Refusal.invalid("name", "must be 1 to 80 characters");
        }
        if (expiresIn.compareTo(Duration.ofMinutes(1)) < 0 || expiresIn.compareTo(LONGEST) > 0) {
            throw Refusal.invalid("expiresIn", "must be between 1m and " + LONGEST.toDays() + "d");
        }
        if (list(owner).stream().filter(t -> !t.revoked()).count() >= MOST) {
            throw Refusal.conflict("There are " + MOST + " tokens already: revoke some first.");
        }
        String secret = PREFIX + Secrets.token();
        UUID id = UUID.randomUUID();
        jdbc.sql("""
                insert into api_token (id, principal_id, name, hash, prefix, scope, team_id, expires_at)
                values (:id, :owner, :name, :hash, :prefix, :scope, :team::uuid,
                    clock_timestamp() + make_interval(secs => :seconds))""")
                .param("id", id)
                .param("owner", owner.value())
                .param("name", label)
                .param("hash", Secrets.hash(secret))
                .param("prefix", secret.substring(0, PREFIX.length() + 6))
                .param("scope", scope.name())
                .param("team", team == null ? null : team.toString())
                .param("seconds", expiresIn.toSeconds())
                .update();
        audit.append(by, "token.create", "token:" + id, null, Map.of("name", label, "scope", scope.name()), null);
        return new ApiToken.Created(get(id), secret);
    }

    /** Newest first. */
    public List<ApiToken> list(UserId owner) {
        return jdbc.sql(COLUMNS + "where principal_id = ? order by created_at desc, id")
                .param(owner.value())
                .query(ApiTokens::token)
                .list();
    }

    /** A token of another owner is not there. */
    @Transactional
    public void revoke(UserId by, UserId owner, UUID id) {
        int revoked = jdbc.sql("update api_token set revoked_at = coalesce(revoked_at, clock_timestamp())"
                        + " where id = ? and principal_id = ?")
                .params(id, owner.value())
                .update();
        if (revoked == 0) throw Refusal.notFound("token");
        audit.append(by, "token.revoke", "token:" + id, null, null, null);
        events.publishEvent(new AccessRevoked(owner, null));
    }

    /** Those that still work, by id; whether their owners may do anything is another question. */
    Map<UUID, ApiToken> working(Set<UUID> ids) {
        if (ids.isEmpty()) return Map.of();
        return jdbc
                .sql(COLUMNS + "where id = any(?) and revoked_at is null and expires_at > clock_timestamp()")
                .param(ids.toArray(UUID[]::new))
                .query(ApiTokens::token)
                .list()
                .stream()
                .collect(Collectors.toMap(ApiToken::id, Function.identity()));
    }

    /** In one statement with all counters, so that what follows in the request asks for none. */
    Optional<Shown> find(String secret) {
        return Sight.beside(
                jdbc,
                COLUMNS + "where hash = :hash",
                Map.of("hash", Secrets.hash(secret)),
                (row, n) -> new Shown(token(row, n), row.getBoolean("expired")));
    }

    /** Once a minute is enough to see what is in use. */
    void used(ApiToken token) {
        Instant last = token.lastUsedAt();
        if (last != null && last.isAfter(Instant.now().minusSeconds(60))) return;
        jdbc.sql("update api_token set last_used_at = clock_timestamp() where id = ?"
                        + " and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')")
                .param(token.id())
                .update();
    }

    private ApiToken get(UUID id) {
        return jdbc.sql(COLUMNS + "where id = ?")
                .param(id)
                .query(ApiTokens::token)
                .single();
    }

    private static ApiToken token(ResultSet row, int n) throws SQLException {
        UUID team = row.getObject("team_id", UUID.class);
        OffsetDateTime used = row.getObject("last_used_at", OffsetDateTime.class);
        return new ApiToken(
                row.getObject("id", UUID.class),
                new UserId(row.getObject("principal_id", UUID.class)),
                row.getString("name"),
                row.getString("prefix"),
                TokenScope.valueOf(row.getString("scope")),
                team == null ? null : new TeamId(team),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("expires_at", OffsetDateTime.class).toInstant(),
                used == null ? null : used.toInstant(),
                row.getObject("revoked_at") != null);
    }
}
