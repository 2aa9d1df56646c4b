package io.muster.simulation;

import io.muster.model.AttemptId;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the program of a virtual attempt behaves, read from the {@code VIRTUAL_*} variables of its environment. What they
 * leave open is drawn from the seed and the job's number, so that every attempt of a job trains the same thing.
 *
 * @param training how long all of it takes at full speed, over all attempts
 * @param steps how many steps that is
 * @param save how long a checkpoint takes to write
 * @param start how long a container takes from pulled image to running
 * @param pull how long an image takes that a node does not have, or null: drawn by node and image
 * @param report how far apart progress reports and log lines are
 * @param fault what goes wrong in this attempt, or null
 * @param exitCode with which it ends when nothing goes wrong
 * @param ignoresSigterm whether it must be killed
 * @param ignoresSignals whether it does not answer checkpoint signals
 * @param complaint why it cannot start with these variables: it says so and ends with exit code 2; or null
 */
public record Behaviour(
        Duration training,
        long steps,
        Duration save,
        Duration start,
        @Nullable Duration pull,
        Duration report,
        @Nullable Fault fault,
        int exitCode,
        boolean ignoresSigterm,
        boolean ignoresSignals,
        @Nullable String complaint) {

    /** Only variables with this prefix matter. */
    public static final String PREFIX = "VIRTUAL_";

    private static final Duration REPORT_LEAST = Duration.ofSeconds(1);
    private static final int REPORTS = 120;
    private static final long MOST_STEPS = 100_000_000;
    private static final int MISUSE = 2;

    /** The behaviour of one attempt. Pure: equal arguments give equal behaviour. */
    public static Behaviour of(AttemptId attempt, long seed, Map<String, String> env) {
        var dice = new Dice(seed).salted(attempt.job().value());
        var read = new Reading(new TreeMap<>(env));
        Duration training = read.duration(
                "DURATION", dice.salted("duration").logBetween(Duration.ofMinutes(2), Duration.ofMinutes(20)));
        long stepMillis = (long) dice.salted("step").between(150, 900);
        long steps = read.number("STEPS", Math.max(1, training.toMillis() / stepMillis), 1, MOST_STEPS);
        Duration save =
                read.duration("SAVE", dice.salted("save").between(Duration.ofSeconds(2), Duration.ofSeconds(9)));
        Duration start =
                read.duration("START", dice.salted("start").between(Duration.ofSeconds(1), Duration.ofSeconds(4)));
        Duration pull = read.has("PULL") ? read.duration("PULL", Duration.ZERO) : null;
        Duration report = longer(REPORT_LEAST, read.duration("REPORT", training.dividedBy(REPORTS)));
        Fault fault = fault(attempt, dice, read, training);
        int exitCode = fault == null ? (int) read.number("EXIT_CODE", 0, 0, 255) : 0;
        boolean ignoresSigterm = read.flag("IGNORE_SIGTERM");
        boolean ignoresSignals = read.flag("IGNORE_SIGNAL");
        return new Behaviour(
                training,
                steps,
                save,
                start,
                pull,
                report,
                fault,
                read.complaint == null ? exitCode : MISUSE,
                ignoresSigterm,
                ignoresSignals,
                read.complaint);
    }

    private static @Nullable Fault fault(AttemptId attempt, Dice dice, Reading read, Duration training) {
        double probability = read.fraction("FAIL_PROBABILITY");
        boolean unlucky = dice.salted("unlucky").salted(attempt.number()).unit() < probability;
        boolean ordered = read.has("FAIL") || read.has("FAIL_AT");
        long attempts = read.number("FAIL_ATTEMPTS", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
        Fault.Kind kind = read.kind();
        Duration somewhere = Duration.ofMillis((long) (training.toMillis()
                * dice.salted("where").salted(attempt.number()).between(0.05, 0.95)));
        Duration at = read.duration("FAIL_AT", somewhere);
        int replica = (int) read.number("FAIL_REPLICA", 0, 0, Integer.MAX_VALUE);
        int code = (int) read.number("EXIT_CODE", 1, 0, 255);
        return unlucky || ordered && attempt.number() <= attempts ? new Fault(kind, at, replica, code) : null;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Reads variables and remembers the first that makes no sense. */
    private static final class Reading {
        private final Map<String, String> env;
        private @Nullable String complaint;

        Reading(Map<String, String> env) {
            this.env = env;
        }

        boolean has(String name) {
            return env.containsKey(PREFIX + name);
        }

        Duration duration(String name, Duration otherwise) {
            String text = env.get(PREFIX + name);
            return text == null
                    ? otherwise
                    : SpokenDuration.parse(text)
                            .orElseGet(() -> complain(name, text, "a duration such as 90s or 1h30m", otherwise));
        }

        long number(String name, long otherwise, long least, long most) {
            String text = env.get(PREFIX + name);
            if (text == null) {
                return otherwise;
            }
            if (text.matches("\\d{1,18}")) {
                long value = Long.parseLong(text);
                if (value >= least && value <= most) {
                    return value;
                }
            }
            return complain(name, text, "a whole number from " + least + " to " + most, otherwise);
        }

        double fraction(String name) {
            String text = env.get(PREFIX + name);
            if (text == null) {
                return 0;
            }
            return text.matches("0(\\.\\d{1,9})?|1(\\.0{1,9})?")
                    ? Double.parseDouble(text)
                    : complain(name, text, "a fraction from 0 to 1", 0.0);
        }

        boolean flag(String name) {
            String text = env.get(PREFIX + name);
            if (text == null || text.equals("false")) {
                return false;
            }
            return text.equals("true") || complain(name, text, "true or false", false);
        }

        Fault.Kind kind() {
            String text = env.get(PREFIX + "FAIL");
            if (text == null) {
                return Fault.Kind.ERROR;
            }
            for (Fault.Kind kind : Fault.Kind.values()) {
                if (kind.written().equals(text)) {
                    return kind;
                }
            }
            return complain("FAIL", text, "error, oom, gpu, hang, image or admission", Fault.Kind.ERROR);
        }

        private <T> T complain(String name, String text, String wanted, T otherwise) {
            if (complaint == null) {
                complaint = PREFIX + name + " is '" + text + "' but must be " + wanted;
            }
            return otherwise;
        }
    }
}
