package io.muster.web;

import io.muster.audit.AuditEntry;
import io.muster.audit.AuditLog;
import io.muster.model.Refusal;
import io.muster.model.UserId;
import io.muster.tenancy.Reader;
import io.muster.web.view.AuditView;
import io.muster.web.view.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The trail of who changed what, newest first. */
@RestController
class AuditController {
    private static final int MOST = 500;

    private final JsonMapper json = JsonMapper.builder().build();
    private final AuditLog log;
    private final TeamGate gate;

    AuditController(AuditLog log, TeamGate gate) {
        this.log = log;
        this.gate = gate;
    }

    @GetMapping("/api/v1/audit")
    Page<AuditView> list(
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit,
            Reader reader) {
        TeamGate.platformAdmin(reader);
        if (limit < 1 || limit > MOST) throw Refusal.invalid("limit", "must be from 1 to " + MOST);
        UserId by = actor == null || actor.isEmpty() ? null : gate.person(actor).id();
        String about = subject == null || subject.isEmpty() ? null : subject;
        if (about != null && about.indexOf('\0') >= 0)
            throw Refusal.invalid("subject", "must not have the character U+0000");
        List<AuditEntry> rows = log.page(about, by, before(cursor), limit);
        String next = rows.size() < limit ? null : Long.toString(rows.getLast().id());
        return new Page<>(rows.stream().map(this::view).toList(), next);
    }

    private AuditView view(AuditEntry e) {
        return new AuditView(
                e.id(),
                e.at(),
                e.actor() == null ? null : gate.username(e.actor()),
                e.action(),
                e.subject(),
                tree(e.before()),
                tree(e.after()),
                e.reason(),
                e.source());
    }

    private @Nullable Object tree(@Nullable String text) {
        return text == null ? null : json.readValue(text, Object.class);
    }

    private static long before(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) return Long.MAX_VALUE;
        if (!cursor.matches("[0-9]{1,18}")) throw Refusal.invalid("cursor", "is not one that this list gave");
        return Long.parseLong(cursor);
    }
}
