package io.muster.web.problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** ETags of what is edited: the version in quotes. */
public final class ETags {
    private ETags() {}

    public static String of(long version) {
        return "\"" + version + "\"";
    }

    /** The version that {@code If-Match} names; null: none, or {@code *}. */
    public static @Nullable Long version(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank() || ifMatch.strip().equals("*")) {
            return null;
        }
        String plain = ifMatch.strip();
        if (plain.startsWith("W/")) {
            plain = plain.substring(2);
        }
        if (!plain.matches("\"[0-9]{1,18}\"")) {
            throw Problem.of(HttpStatus.PRECONDITION_FAILED, "stale", "If-Match is no ETag of this resource.");
        }
        return Long.parseLong(plain.substring(1, plain.length() - 1));
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
