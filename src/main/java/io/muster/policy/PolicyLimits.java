package io.muster.policy;

import io.muster.model.Refusal;
import java.time.Duration;

/** Within which bounds each value of the policy makes sense. */
final class PolicyLimits {
    private static final Duration WEEK = Duration.ofDays(7);

    private PolicyLimits() {}

    static void check(PolicyValues v) {
        between("minRuntime", v.minRuntime(), Duration.ZERO, WEEK);
        between("defaultGrace", v.defaultGrace(), Duration.ofSeconds(1), v.maxGrace());
        between("maxGrace", v.maxGrace(), Duration.ofSeconds(1), Duration.ofHours(6));
        between("startDeadline", v.startDeadline(), Duration.ofSeconds(10), WEEK);
        between("reservationExpiry", v.reservationExpiry(), Duration.ofSeconds(10), WEEK);
        between("agingStep", v.agingStep(), Duration.ofMinutes(1), Duration.ofDays(365));
        between("agingPerStep", v.agingPerStep(), 0, 10_000);
        between("agingMost", v.agingMost(), 0, 100_000);
        between("usageHalfLife", v.usageHalfLife(), Duration.ofHours(1), Duration.ofDays(365));
        if (!(v.usageStrength() >= 0 && v.usageStrength() <= 10)) {
            throw Refusal.invalid("values.usageStrength", "must be between 0 and 10");
        }
        between("reclaimPercent", v.reclaimPercent(), 0, 100);
        between("reclaimWindow", v.reclaimWindow(), Duration.ofSeconds(10), WEEK);
        between("preemptionsPerDay", v.preemptionsPerDay(), 0, 10_000);
        between("protectFor", v.protectFor(), Duration.ZERO, WEEK);
        between("infrastructureRetries", v.infrastructureRetries(), 0, 1_000);
        between("backoffFirst", v.backoffFirst(), Duration.ofSeconds(1), v.backoffMost());
        between("backoffMost", v.backoffMost(), Duration.ofSeconds(1), Duration.ofDays(1));
        between("reservationDepth", v.reservationDepth(), 0, 100);
        between("defaultRunTime", v.defaultRunTime(), Duration.ofMinutes(1), Duration.ofDays(365));
        between("hangTimeout", v.hangTimeout(), Duration.ofMinutes(5), WEEK);
    }

    private static void between(String field, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw Refusal.invalid("values." + field, "must be between " + plain(least) + " and " + plain(most));
        }
    }

    /** As people write it, in the largest unit that is exact. */
    private static String plain(Duration time) {
        long seconds = time.toSeconds();
        if (seconds > 0 && seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds > 0 && seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds > 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static void between(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw Refusal.invalid("values." + field, "must be between " + least + " and " + most);
        }
    }
}
