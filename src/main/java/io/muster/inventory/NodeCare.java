package io.muster.inventory;

import io.muster.audit.AuditTrail;
import io.muster.model.NodeId;
import io.muster.model.Refusal;
import io.muster.model.UserId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What admins do to nodes. It is kept apart from what the cluster says of them. */
@Component
@Transactional
public class NodeCare {
    private static final Duration LONGEST_DRAIN = Duration.ofDays(30);

    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    NodeCare(JdbcClient jdbc, AuditTrail audit, Clock clock, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.audit = audit;
        this.clock = clock;
        this.events = events;
    }

    /** Nothing new goes there; what runs goes on. */
    public void cordon(@Nullable UserId by, String name, NodeId node, String why) {
        mark(by, name, node, Node.Cordon.Kind.CORDON, null, why);
    }

    /** What runs there is asked to save and leave, and is gone when {@code within} has passed. */
    public void drain(@Nullable UserId by, String name, NodeId node, Duration within, String why) {
        if (within.isNegative() || within.compareTo(LONGEST_DRAIN) > 0) {
            throw Refusal.invalid("deadline", "must be between 0s and " + LONGEST_DRAIN.toDays() + "d");
        }
        mark(by, name, node, Node.Cordon.Kind.DRAIN, clock.instant().plus(within), why);
    }

    /** A drain because the node is not trusted; it comes back by {@link #back} only. */
    public void quarantine(@Nullable UserId by, String name, NodeId node, String why) {
        mark(by, name, node, Node.Cordon.Kind.QUARANTINE, null, why);
    }

    /** Ends a cordon or a drain. */
    public void uncordon(@Nullable UserId by, NodeId node) {
        Node.Cordon before = lock(node);
        if (before == null) return;
        if (before.kind() == Node.Cordon.Kind.QUARANTINE) {
            throw Refusal.conflict(node + " is in quarantine: return it when it has been checked.");
        }
        clear(by, node, before, "node.uncordon");
    }

    /** Ends a quarantine (or any other mark): somebody has checked the node. */
    public void back(@Nullable UserId by, NodeId node) {
        Node.Cordon before = lock(node);
        if (before != null) clear(by, node, before, "node.return");
    }

    /** Only for a node that the cluster does not call ready: a living one must not be declared dead. */
    public void confirmGone(UserId by, NodeId node, String why) {
        lock(node);
        boolean alive = jdbc.sql("select ready and reachable and gone_at is null from node where id = ?")
                .param(node.value())
                .query(Boolean.class)
                .single();
        if (alive) throw Refusal.conflict(node + " is ready: drain it instead.");
        jdbc.sql("update node set gone_at = ?, ready = false where id = ? and gone_at is null")
                .params(OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC), node.value())
                .update();
        audit.append(by, "node.confirm-gone", subject(node), null, Map.of("gone", true), why.isBlank() ? null : why);
        events.publishEvent(new NodeConfirmedGone(node, by, why));
    }

    private void mark(
            @Nullable UserId by,
            String name,
            NodeId node,
            Node.Cordon.Kind kind,
            @Nullable Instant deadline,
            String why) {
        String reason = why.strip();
        if (reason.isEmpty() || reason.length() > 500) throw Refusal.invalid("why", "must be 1 to 500 characters");
        Node.Cordon before = lock(node);
        jdbc.sql("""
                update node set cordon = :kind, cordon_by = :by, cordon_at = :at, cordon_why = :why,
                    cordon_deadline = :deadline::timestamptz, version = version + 1 where id = :id""")
                .param("id", node.value())
                .param("kind", kind.name())
                .param("by", name)
                .param("at", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .param("why", reason)
                .param("deadline", deadline == null ? null : deadline.toString())
                .update();
        audit.append(by, action(kind), subject(node), shown(before), shown(kind, deadline), reason);
    }

    private void clear(@Nullable UserId by, NodeId node, Node.Cordon before, String action) {
        jdbc.sql("""
                update node set cordon = null, cordon_by = null, cordon_at = null, cordon_why = null,
                    cordon_deadline = null, version = version + 1 where id = ?""").param(node.value()).update();
        audit.append(by, action, subject(node), shown(before), null, null);
    }

    private Node.@Nullable Cordon lock(NodeId node) {
        return jdbc.sql("select * from node where id = ? for update")
                .param(node.value())
                .query((row, n) -> java.util.Optional.ofNullable(FleetRows.cordon(row)))
                .optional()
                .orElseThrow(() -> Refusal.notFound("node"))
                .orElse(null);
    }

    private static String action(Node.Cordon.Kind kind) {
        return switch (kind) {
            case CORDON -> "node.cordon";
            case DRAIN -> "node.drain";
            case QUARANTINE -> "node.quarantine";
        };
    }

    private static @Nullable Object shown(Node.@Nullable Cordon cordon) {
        return cordon == null ? null : shown(cordon.kind(), cordon.deadline());
    }

    private static Object shown(Node.Cordon.Kind kind, @Nullable Instant deadline) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("cordon", kind.name());
        if (deadline != null) shown.put("deadline", deadline.toString());
        return shown;
    }

    private static String subject(NodeId node) {
        return "node:" + node;
    }
}
