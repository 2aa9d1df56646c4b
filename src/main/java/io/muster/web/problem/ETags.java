package io.muster.web.problem;

import io.muster.model.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** ETags of what is edited: the version in quotes. */
public final class ETags {
    private static final Pattern WRITTEN = Pattern.compile("(?:W/)?\"?([0-9]{1,18})\"?");

    private ETags() {}

    public static String of(long version) {
        return "\"" + version + "\"";
    }

    /** The version that {@code If-Match} names; null: none, or {@code *}. */
    public static @Nullable Long version(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank() || ifMatch.strip().equals("*")) {
            return null;
        }
        Matcher written = WRITTEN.matcher(ifMatch.strip());
        if (!written.matches()) {
            throw Refusal.stale();
        }
        return Long.parseLong(written.group(1));
    }

    /** The same where an edit must say what it was made on. */
    public static long required(@Nullable String ifMatch) {
        Long version = version(ifMatch);
        if (version == null) {
            throw Problem.of(
                    HttpStatus.PRECONDITION_REQUIRED,
                    "precondition-required",
                    "Send the ETag that you read as If-Match.");
        }
        return version;
    }
}
