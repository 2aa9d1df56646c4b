package io.muster.web.jobs;

import io.muster.web.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far the output of each replica was read, as the text of a cursor: of each group its name, the least line, and what
 * each replica has read beyond it, in the order of their numbers. The replicas of a gang print much alike, so that even
 * thousands of them fit.
 */
final class LogPositions {
    private static final Pattern REPLICA = Pattern.compile("(.+)-(\\d{1,6})");
    private static final Pattern GROUP = Pattern.compile("([a-z0-9-]{1,63}):([0-9a-z]{1,12}):([0-9a-z.]*)");
    private static final int MOST_REPLICAS = 10_000;
    private static final int RADIX = 36;

    private LogPositions() {}

    static String write(SortedMap<String, Long> positions) {
        var groups = new TreeMap<String, SortedMap<Integer, Long>>();
        positions.forEach((replica, next) -> {
            Matcher m = REPLICA.matcher(replica);
            if (m.matches()) {
                groups.computeIfAbsent(m.group(1), g -> new TreeMap<>()).put(Integer.parseInt(m.group(2)), next);
            }
        });
        var text = new ArrayList<String>();
        groups.forEach((group, nexts) -> text.add(group + ":" + group(nexts)));
        return String.join(",", text);
    }

    /** One that nothing is known of has been read to line 0. */
    private static String group(SortedMap<Integer, Long> nexts) {
        var all = new ArrayList<Long>();
        for (int i = 0; i <= nexts.lastKey(); i++) {
            all.add(nexts.getOrDefault(i, 0L));
        }
        long least = all.stream().mapToLong(Long::longValue).min().orElse(0);
        List<String> beyond =
                all.stream().map(next -> Long.toString(next - least, RADIX)).toList();
        return Long.toString(least, RADIX) + ":" + String.join(".", beyond);
    }

    static SortedMap<String, Long> read(String text) {
        var positions = new TreeMap<String, Long>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            Matcher m = GROUP.matcher(part);
            String[] beyond = m.matches() ? m.group(3).split("\\.", -1) : new String[0];
            if (beyond.length == 0 || beyond.length > MOST_REPLICAS) {
                throw wrong();
            }
            try {
                long least = Long.parseLong(m.group(2), RADIX);
                for (int i = 0; i < beyond.length; i++) {
                    positions.put(m.group(1) + "-" + i, Math.addExact(least, Long.parseLong(beyond[i], RADIX)));
                }
            } catch (ArithmeticException | NumberFormatException e) {
                throw wrong();
            }
        }
        return positions;
    }

    private static Problem wrong() {
        return Problem.invalid("cursor", "is not one that this list gave");
    }
}
