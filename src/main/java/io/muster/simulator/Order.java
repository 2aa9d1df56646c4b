package io.muster.simulator;

import io.muster.model.TeamOrder;
import io.muster.simulator.policy.Policies;
import io.muster.simulator.trace.TraceFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a person asked for on the command line.
 *
 * @param format null: by the first line
 * @param policies one, or two side by side
 * @param order which of a team's jobs goes first, for the core
 * @param first how many jobs at most
 * @param longest runs are cut at this, or null
 * @param walltimes jobs say truthfully how long they will run
 * @param oneTeam all jobs belong to one team
 */
record Order(
        Path fleet,
        Path trace,
        @Nullable TraceFormat format,
        List<String> policies,
        TeamOrder order,
        Path out,
        int first,
        @Nullable Duration longest,
        Duration restart,
        boolean walltimes,
        boolean oneTeam) {
    private static final Set<String> OPTIONS = Set.of(
            "--fleet",
            "--trace",
            "--format",
            "--policy",
            "--compare",
            "--order",
            "--out",
            "--first",
            "--longest",
            "--restart",
            "--walltimes",
            "--teams");
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,9})(s|m|h|d)");

    Order {
        policies = List.copyOf(policies);
    }

    /** What is wrong with what was asked, for people. */
    static final class Misunderstood extends Exception {
        Misunderstood(String message) {
            super(message, null, false, false);
        }
    }

    static Order parse(List<String> words) throws Misunderstood {
        var given = new HashMap<String, List<String>>();
        for (int i = 0; i < words.size(); i++) {
            String option = words.get(i);
            if (!OPTIONS.contains(option)) throw new Misunderstood("there is no option " + option);
            int count = option.equals("--compare") ? 2 : 1;
            int end = i + count;
            if (end >= words.size() || words.subList(i + 1, end + 1).stream().anyMatch(OPTIONS::contains)) {
                throw new Misunderstood(option + " needs " + (count == 1 ? "a value" : "two policies"));
            }
            if (given.put(option, words.subList(i + 1, end + 1)) != null) {
                throw new Misunderstood(option + " is given twice");
            }
            i = end;
        }
        return new Order(
                Path.of(needed(given, "--fleet")),
                Path.of(needed(given, "--trace")),
                format(given),
                policies(given),
                order(given),
                Path.of(needed(given, "--out")),
                number(given),
                given.containsKey("--longest") ? length(given, "--longest") : null,
                given.containsKey("--restart") ? length(given, "--restart") : Duration.ofMinutes(1),
                walltimes(given),
                oneTeam(given));
    }

    private static String needed(Map<String, List<String>> given, String option) throws Misunderstood {
        var values = given.get(option);
        if (values == null) throw new Misunderstood(option + " is missing");
        return values.getFirst();
    }

    private static @Nullable TraceFormat format(Map<String, List<String>> given) throws Misunderstood {
        if (!given.containsKey("--format")) return null;
        String word = needed(given, "--format");
        for (var format : TraceFormat.values()) {
            if (format.word().equals(word)) return format;
        }
        var known = Arrays.stream(TraceFormat.values()).map(TraceFormat::word).toList();
        throw new Misunderstood("there is no format " + word + "; there are " + String.join(", ", known));
    }

    private static List<String> policies(Map<String, List<String>> given) throws Misunderstood {
        if (given.containsKey("--policy") == given.containsKey("--compare")) {
            throw new Misunderstood("give either --policy or --compare");
        }
        var policies = given.getOrDefault("--policy", given.getOrDefault("--compare", List.of()));
        for (var policy : policies) {
            if (!Policies.names().contains(policy)) {
                throw new Misunderstood(
                        "there is no policy " + policy + "; there are " + String.join(", ", Policies.names()));
            }
        }
        if (policies.size() == 2 && policies.getFirst().equals(policies.getLast())) {
            throw new Misunderstood("--compare needs two different policies");
        }
        return policies;
    }

    private static TeamOrder order(Map<String, List<String>> given) throws Misunderstood {
        if (!given.containsKey("--order")) return TeamOrder.FIFO;
        if (!policies(given).contains(Policies.CORE)) {
            throw new Misunderstood("--order is for the policy " + Policies.CORE);
        }
        return switch (needed(given, "--order")) {
            case "fifo" -> TeamOrder.FIFO;
            case "fair-finish" -> TeamOrder.FAIR_FINISH;
            case "attained-service" -> TeamOrder.ATTAINED_SERVICE;
            default -> throw new Misunderstood("--order is fifo, fair-finish or attained-service");
        };
    }

    private static int number(Map<String, List<String>> given) throws Misunderstood {
        if (!given.containsKey("--first")) return Integer.MAX_VALUE;
        String word = needed(given, "--first");
        if (!word.matches("[1-9]\\d{0,8}")) throw new Misunderstood("--first is a number of jobs, not " + word);
        return Integer.parseInt(word);
    }

    private static Duration length(Map<String, List<String>> given, String option) throws Misunderstood {
        String word = needed(given, option);
        var form = LENGTH.matcher(word);
        if (!form.matches()) throw new Misunderstood(option + " is a time such as 60s, 5m, 2h or 1d, not " + word);
        long amount = Long.parseLong(form.group(1));
        return switch (form.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static boolean oneTeam(Map<String, List<String>> given) throws Misunderstood {
        if (!given.containsKey("--teams")) return false;
        String word = needed(given, "--teams");
        return switch (word) {
            case "one" -> true;
            case "recorded" -> false;
            default -> throw new Misunderstood("--teams is recorded or one, not " + word);
        };
    }

    private static boolean walltimes(Map<String, List<String>> given) throws Misunderstood {
        if (!given.containsKey("--walltimes")) return false;
        String word = needed(given, "--walltimes");
        return switch (word) {
            case "truthful" -> true;
            case "recorded" -> false;
            default -> throw new Misunderstood("--walltimes is recorded or truthful, not " + word);
        };
    }
}
