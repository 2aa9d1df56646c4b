package io.muster.web;

import io.muster.model.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Versions as ETags. */
final class ETags {
    private static final Pattern WRITTEN = Pattern.compile("(?:W/)?\"?([0-9]{1,18})\"?");

    private ETags() {}

    static String of(long version) {
        return "\"" + version + "\"";
    }

    /** The version that a write says it has seen. */
    static long required(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank()) {
            throw new ResponseStatusException(
                    HttpStatus.PRECONDITION_REQUIRED, "Send the ETag that you read as If-Match.");
        }
        Matcher m = WRITTEN.matcher(ifMatch.strip());
        if (!m.matches()) throw Refusal.stale();
        return Long.parseLong(m.group(1));
    }
}
