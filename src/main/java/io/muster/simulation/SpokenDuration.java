package io.muster.simulation;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 90s}, {@code 1h30m}, {@code 2d}. */
final class SpokenDuration {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Duration MOST = Duration.ofDays(366);

    private SpokenDuration() {}

    /** The duration, or empty: not one, or more than a year. */
    static Optional<Duration> parse(String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (end < text.length()) {
            if (!part.find(end) || part.start() != end) {
                return Optional.empty();
            }
            sum = sum.plus(amount(Long.parseLong(part.group(1)), part.group(2)));
            end = part.end();
        }
        return end == 0 || sum.compareTo(MOST) > 0 ? Optional.empty() : Optional.of(sum);
    }

    private static Duration amount(long count, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> throw new IllegalStateException("unit " + unit);
        };
    }
}
