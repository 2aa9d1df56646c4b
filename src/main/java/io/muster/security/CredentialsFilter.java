package io.muster.security;

import io.muster.model.AttemptId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds out who asks. A bearer token speaks for itself and its request's cookies are not looked at; without one the
 * browser's session counts. A credential that is wrong is refused and never taken for none.
 */
final class CredentialsFilter extends OncePerRequestFilter {
    private static final Pattern ATTEMPT_PATH =
            Pattern.compile("/api/v1/jobs/([0-9]{1,18})/attempts/([0-9]{1,9})/(signals|checkpoints|progress|finished)");
    private static final Set<String> UNTIL_CHANGED =
            Set.of("GET /api/v1/me", "PUT /api/v1/me/password", "POST /api/v1/session", "DELETE /api/v1/session");

    private final Sessions sessions;
    private final ApiTokens tokens;
    private final AttemptTokens attempts;
    private final Callers callers;

    CredentialsFilter(Sessions sessions, ApiTokens tokens, AttemptTokens attempts, Callers callers) {
        this.sessions = sessions;
        this.tokens = tokens;
        this.attempts = attempts;
        this.callers = callers;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return !path.startsWith("/api/") && !path.startsWith("/actuator/");
    }

    /** Events are streamed long after the first dispatch: what was found then holds. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        String bearer = bearer(request);
        if (bearer == null) bySession(request, response, chain);
        else if (bearer.startsWith(AttemptTokens.PREFIX)) byAttempt(bearer, request, response, chain);
        else byToken(bearer, request, response, chain);
    }

    private void bySession(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Caller> caller = sessions.current(request).flatMap(callers::of);
        if (caller.isPresent() && caller.get().mustChangePassword() && !UNTIL_CHANGED.contains(call(request))) {
            ProblemWriter.write(
                    response, HttpStatus.FORBIDDEN, "password-change-required", "Change your password first.");
            return;
        }
        proceed(caller.map(CallerAuthentication::new).orElse(null), request, response, chain);
    }

    private void byToken(String secret, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var found = tokens.find(secret);
        var caller = found.flatMap(t -> callers.of(t.token()));
        if (found.isEmpty() || caller.isEmpty() || found.get().token().revoked()) {
            refuse(response, "invalid-token", "This token is not known here, or was revoked.");
            return;
        }
        ApiToken token = found.get().token();
        if (found.get().expired()) {
            refuse(response, "expired-token", "This token ended at " + token.expiresAt() + ".");
            return;
        }
        if (!token.scope().allows(request.getMethod(), request.getRequestURI())) {
            String detail = "A token of scope " + token.scope() + " may not do this.";
            ProblemWriter.write(response, HttpStatus.FORBIDDEN, "token-scope", detail);
            return;
        }
        tokens.used(token);
        proceed(new CallerAuthentication(caller.get()), request, response, chain);
    }

    private void byAttempt(String secret, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<AttemptId> attempt = attempts.attempt(secret);
        if (attempt.isEmpty()) {
            refuse(response, "invalid-token", "This attempt token is not valid.");
        } else if (!isPathOf(attempt.get(), request.getRequestURI())) {
            ProblemWriter.write(
                    response, HttpStatus.NOT_FOUND, "not-found", "An attempt's token reaches its own endpoints only.");
        } else {
            proceed(new AttemptAuthentication(attempt.get()), request, response, chain);
        }
    }

    private static boolean isPathOf(AttemptId attempt, String path) {
        Matcher m = ATTEMPT_PATH.matcher(path);
        return m.matches()
                && Long.parseLong(m.group(1)) == attempt.job().value()
                && Integer.parseInt(m.group(2)) == attempt.number();
    }

    private void proceed(
            @Nullable Authentication authentication,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        if (authentication != null) SecurityContextHolder.setContext(new SecurityContextImpl(authentication));
        chain.doFilter(request, response);
    }

    private static void refuse(HttpServletResponse response, String slug, String detail) throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"");
        ProblemWriter.write(response, HttpStatus.UNAUTHORIZED, slug, detail);
    }

    private static String call(HttpServletRequest request) {
        return request.getMethod() + " " + request.getRequestURI();
    }

    static @Nullable String bearer(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? header.substring(7).strip()
                : null;
    }
}
