package io.muster.web.problem;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves so many requests to the API at once and no more: who finds no place in a short while is told to come again,
 * which is better than an answer after minutes that nobody waits for any more. It also tells so where the database is
 * away before any controller is reached: sessions and tokens are looked up there.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 25)
class OverloadFilter extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(OverloadFilter.class);
    private static final Duration BUSY = Duration.ofSeconds(2);
    private static final Duration AWAY = Duration.ofSeconds(5);

    private final Semaphore places;
    private final Duration patience;
    private final JsonMapper json;
    private final Counter refused;

    /**
     * @param most served at once; twice the connections of the usual pool
     * @param patience how long a request waits for a place
     */
    OverloadFilter(
            @Value("${muster.requests.most:48}") int most,
            @Value("${muster.requests.patience:2s}") Duration patience,
            JsonMapper json,
            MeterRegistry meters) {
        this.places = new Semaphore(most, true);
        this.patience = patience;
        this.json = json;
        this.refused = Counter.builder("muster.requests.refused")
                .description("Requests to the API that found no place")
                .register(meters);
        Gauge.builder("muster.requests.served", places, p -> most - p.availablePermits())
                .description("Requests to the API that are being served")
                .register(meters);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/api/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!entered()) {
            refused.increment();
            tell(
                    request,
                    response,
                    "overloaded",
                    "The server has more to do than it can. Try again in a moment.",
                    BUSY);
            return;
        }
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException e) {
            if (response.isCommitted() || !isAway(e)) throw e;
            LOG.warn("{} {}: the database did not answer", request.getMethod(), request.getRequestURI(), e);
            response.resetBuffer();
            tell(request, response, "unavailable", "The database does not answer. Try again in a moment.", AWAY);
        } finally {
            places.release();
        }
    }

    private boolean entered() {
        try {
            return places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The chain of causes is what a few layers have wrapped. */
    private static boolean isAway(Throwable thrown) {
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransientDataAccessException
                    || cause instanceof DataAccessResourceFailureException
                    || cause instanceof CannotCreateTransactionException) {
                return true;
            }
        }
        return false;
    }

    private void tell(
            HttpServletRequest request, HttpServletResponse response, String slug, String detail, Duration wait)
            throws IOException {
        var problem = Problem.of(HttpStatus.SERVICE_UNAVAILABLE, slug, detail).view(request.getRequestURI());
        response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.toSeconds()));
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        // Whoever found no place has not come as far as the filters that write these.
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        response.getWriter().write(json.writeValueAsString(problem));
    }
}
