package io.muster.job;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 90s}, {@code 15m}, {@code 12h}, {@code 2d}, {@code 1h30m}. */
public final class PlainDuration {
    private static final Pattern WRITTEN =
            Pattern.compile("(?:([0-9]{1,6})d)?(?:([0-9]{1,8})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,10})s)?");

    private PlainDuration() {}

    /** Empty when it is no duration. */
    public static Optional<Duration> parse(String text) {
        Matcher m = WRITTEN.matcher(text);
        if (text.isEmpty() || !m.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofDays(number(m.group(1)))
                .plusHours(number(m.group(2)))
                .plusMinutes(number(m.group(3)))
                .plusSeconds(number(m.group(4))));
    }

    /** As people would write it: {@code 1d12h}, never a fraction of a second. */
    public static String of(Duration duration) {
        long days = duration.toDays();
        String text = part(days, "d")
                + part(duration.toHoursPart(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s");
        return text.isEmpty() ? "0s" : text;
    }

    @SuppressWarnings("NullAway") // An unmatched optional group is null.
    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }
}
