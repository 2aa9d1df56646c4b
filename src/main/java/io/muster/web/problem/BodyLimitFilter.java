package io.muster.web.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * No request has a body of more than 1 MiB, whether it says how long it is or not. The beginning of what was read is kept
 * for whoever has to say what is wrong with it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 30)
class BodyLimitFilter extends OncePerRequestFilter {
    private static final long MOST = 1 << 20;
    static final int KEPT = 1 << 16;
    private static final String BODY = BodyLimitFilter.class.getName();

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(new Limited(request), response);
    }

    /** What was read of a request's body, to its end or to {@value #KEPT} bytes; not for documents, which are kept anyway. */
    static byte[] read(HttpServletRequest request) {
        return request.getAttribute(BODY) instanceof ByteArrayOutputStream kept ? kept.toByteArray() : new byte[0];
    }

    /** Reads as far as the limit, then refuses; a length that is announced is refused at the first read. */
    private static final class Limited extends HttpServletRequestWrapper {
        Limited(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (getContentLengthLong() > MOST) {
                throw new TooLargeException();
            }
            var kept = new ByteArrayOutputStream(0);
            setAttribute(BODY, kept);
            return new Counted(super.getInputStream(), kept);
        }
    }

    private static final class Counted extends ServletInputStream {
        private final ServletInputStream in;
        private final ByteArrayOutputStream kept;
        private long read;

        Counted(ServletInputStream in, ByteArrayOutputStream kept) {
            this.in = in;
            this.kept = kept;
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            if (next >= 0 && kept.size() < KEPT) kept.write(next);
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int got = in.read(into, from, length);
            if (got > 0 && kept.size() < KEPT) kept.write(into, from, Math.min(got, KEPT - kept.size()));
            count(Math.max(0, got));
            return got;
        }

        private void count(int more) throws TooLargeException {
            read += more;
            if (read > MOST) {
                throw new TooLargeException();
            }
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
