package io.muster.web.problem;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** What Tomcat refuses before there is a request (a broken header, an address too long): a problem, not its page. */
public final class ConnectorProblems extends ErrorReportValve {
    private static final String BODY = """
            {"type":"%smalformed","title":"%s","status":%d,"detail":"The server cannot read this request: its address or one of its headers is broken, or they are too \
many or too long (8 KiB and 100 headers at most).",\
            "errors":[],"reasons":[]}""";

    @Override
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) return;
        HttpStatus known = HttpStatus.resolve(status);
        try {
            response.setContentType("application/problem+json");
            response.setCharacterEncoding("UTF-8");
            // No filter of ours has seen this request.
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("X-Frame-Options", "DENY");
            response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
            response.setHeader("Cache-Control", "no-store");
            var writer = response.getReporter();
            if (writer != null) {
                writer.write(BODY.formatted(Problem.TYPES, known == null ? "Error" : known.getReasonPhrase(), status));
                response.finishResponse();
            }
        } catch (IOException e) {
            // The other side has gone; there is nobody to tell.
            container.getLogger().debug("a refusal was not read", e);
        }
    }
}
