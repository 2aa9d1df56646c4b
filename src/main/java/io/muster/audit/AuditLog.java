package io.muster.audit;

import io.muster.model.UserId;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the trail, newest first. */
@Component
public class AuditLog {
    private final JdbcClient jdbc;

    AuditLog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Rows older than {@code before}.
     *
     * @param subject only rows of this subject, or null: of all
     * @param actor only rows of this actor, or null: of all
     */
    public List<AuditEntry> page(@Nullable String subject, @Nullable UserId actor, long before, int limit) {
        return jdbc.sql("""
                select id, at, actor, action, subject, before::text, after::text, reason, source from audit_entry
                where id < :before
                  and (:subject::text is null or subject = :subject)
                  and (:actor::uuid is null or actor = :actor::uuid)
                order by id desc limit :limit""")
                .param("before", before)
                .param("subject", subject)
                .param("actor", actor == null ? null : actor.value().toString())
                .param("limit", limit)
                .query((row, n) -> new AuditEntry(
                        row.getLong("id"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        user(row.getObject("actor", UUID.class)),
                        row.getString("action"),
                        row.getString("subject"),
                        row.getString("before"),
                        row.getString("after"),
                        row.getString("reason"),
                        row.getString("source")))
                .list();
    }

    private static @Nullable UserId user(@Nullable UUID id) {
        return id == null ? null : new UserId(id);
    }
}
