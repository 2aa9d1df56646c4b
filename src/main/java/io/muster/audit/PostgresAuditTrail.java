package io.muster.audit;

import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Writes rows of the trail; where a request came from and its id are what the web put into the logging context. */
@Component
class PostgresAuditTrail implements AuditTrail {
    private final JsonMapper json = JsonMapper.builder().build();
    private final JdbcClient jdbc;

    PostgresAuditTrail(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    @Transactional(propagation = Propagation.MANDATORY)
    public void append(
            @Nullable UserId actor,
            String action,
            String subject,
            @Nullable Object before,
            @Nullable Object after,
            @Nullable String reason) {
        jdbc.sql("""
                insert into audit_entry (actor, action, subject, before, after, reason, source, request_id)
                values (:actor::uuid, :action, :subject, :before::jsonb, :after::jsonb, :reason, :source, :request)""")
                .param("actor", actor == null ? null : actor.value().toString())
                .param("action", action)
                .param("subject", subject)
                .param("before", text(before))
                .param("after", text(after))
                .param("reason", reason)
                .param("source", MDC.get(RequestContext.SOURCE))
                .param("request", MDC.get(RequestContext.REQUEST))
                .update();
    }

    private @Nullable String text(@Nullable Object value) {
        return value == null ? null : json.writeValueAsString(value);
    }
}
