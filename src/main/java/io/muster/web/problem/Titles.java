package io.muster.web.problem;

import java.util.Map;
import org.springframework.http.HttpStatus;

/** One title per type of problem, as RFC 9457 wants it. */
final class Titles {
    private static final Map<String, String> BY_SLUG = Map.ofEntries(
            Map.entry("invalid", "Something in the request is not valid"),
            Map.entry("invalid-job", "The job document is not valid"),
            Map.entry("malformed", "The body could not be read"),
            Map.entry("too-large", "The body is too large"),
            Map.entry("never-fits", "The fleet could never hold this job"),
            Map.entry("not-found", "There is no such thing"),
            Map.entry("not-allowed", "You may not do this"),
            Map.entry("not-possible", "Its state does not allow this"),
            Map.entry("not-waiting", "The job does not wait"),
            Map.entry("stale", "It was changed meanwhile"),
            Map.entry("precondition-required", "If-Match is needed"),
            Map.entry("over-promised", "More would be promised than there is"),
            Map.entry("idempotency-key-reused", "This idempotency key was used for something else"),
            Map.entry("unsupported-media-type", "This kind of body is not understood"),
            Map.entry("attempt-over", "The attempt is over"),
            Map.entry("overloaded", "The server has too much to do"),
            Map.entry("unavailable", "The server cannot answer now"),
            Map.entry("internal", "The server failed"));

    private Titles() {}

    static String of(String slug, HttpStatus status) {
        return BY_SLUG.getOrDefault(slug, status.getReasonPhrase());
    }
}
