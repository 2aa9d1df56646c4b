package io.muster.security;

import io.muster.model.UserId;
import io.muster.tenancy.AccessRevoked;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.stereotype.Component;

/**
 * Browser sessions. A session holds who it is and whether the password has to be changed, as plain text; what they may
 * do is looked up for every request.
 */
@Component
public class Sessions {
    private static final String USER = "user";
    private static final String MUST_CHANGE = "mustChange";
    /** However busy it is kept. */
    static final Duration LONGEST = Duration.ofDays(14);

    private final FindByIndexNameSessionRepository<? extends Session> repository;
    private final ApplicationEventPublisher events;

    Sessions(FindByIndexNameSessionRepository<? extends Session> repository, ApplicationEventPublisher events) {
        this.repository = repository;
        this.events = events;
    }

    /** Who a session is of. */
    record Held(UserId user, String id, boolean mustChange) {}

    /** Begins a session with an id of its own, whatever was there before. */
    String begin(HttpServletRequest request, UserId user, boolean mustChange) {
        HttpSession old = request.getSession(false);
        if (old != null) old.invalidate();
        HttpSession session = request.getSession(true);
        session.setAttribute(USER, user.value().toString());
        session.setAttribute(MUST_CHANGE, mustChange);
        session.setAttribute(
                FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME,
                user.value().toString());
        return session.getId();
    }

    Optional<Held> current(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null || !(session.getAttribute(USER) instanceof String user)) return Optional.empty();
        if (Instant.ofEpochMilli(session.getCreationTime()).plus(LONGEST).isBefore(Instant.now())) {
            end(request);
            return Optional.empty();
        }
        boolean mustChange = Boolean.TRUE.equals(session.getAttribute(MUST_CHANGE));
        return Optional.of(new Held(new UserId(UUID.fromString(user)), session.getId(), mustChange));
    }

    void passwordChanged(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) session.setAttribute(MUST_CHANGE, false);
    }

    /** Ends the request's own session. */
    void end(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null) return;
        String id = session.getId();
        Object user = session.getAttribute(USER);
        session.invalidate();
        if (user instanceof String text) {
            events.publishEvent(new AccessRevoked(new UserId(UUID.fromString(text)), id));
        }
    }

    /** Ends every session of a user but one. */
    void endAll(UserId user, @Nullable String but) {
        Set<String> ids = Set.copyOf(
                repository.findByPrincipalName(user.value().toString()).keySet());
        ids.stream().filter(id -> !id.equals(but)).forEach(id -> {
            repository.deleteById(id);
            events.publishEvent(new AccessRevoked(user, id));
        });
    }
}
