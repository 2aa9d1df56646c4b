package io.muster.web;

import io.muster.audit.RequestContext;
import io.muster.database.Sight;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Names the request in the log and in the trail of what it changes. It sees teams, policy and fleet as they were when it
 * first looked; one that writes looks again after each transaction of its own.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
class RequestScopeFilter extends OncePerRequestFilter {
    private static final String HEADER = "X-Request-Id";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{8,64}");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String id = id(request.getHeader(HEADER));
        MDC.put(RequestContext.SOURCE, request.getRemoteAddr());
        MDC.put(RequestContext.REQUEST, id);
        response.setHeader(HEADER, id);
        try {
            boolean reads = request.getMethod().equals("GET");
            try (var sight = reads ? Sight.steady() : Sight.untilWritten()) {
                chain.doFilter(request, response);
            }
        } finally {
            MDC.remove(RequestContext.SOURCE);
            MDC.remove(RequestContext.REQUEST);
        }
    }

    private static String id(@Nullable String given) {
        return given != null && ID.matcher(given).matches()
                ? given
                : UUID.randomUUID().toString();
    }
}
