package io.muster.simulation;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Reads the Philly trace (Jeon et al., USENIX ATC 2019) in the form {@code timestamp,duration,num_gpus,gpu_time,cluster}:
 * local time without a zone, seconds, GPUs, GPU-seconds, virtual cluster.
 */
public final class PhillyTrace {
    private static final String HEADER = "timestamp,duration,num_gpus,gpu_time,cluster";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final int COLUMNS = 5;

    private PhillyTrace() {}

    /**
     * The first {@code most} jobs by submit time; of equal times, in the order of the file. Run times are cut at
     * {@code longest}, and last at least a second.
     *
     * @throws IllegalArgumentException naming the line that makes no sense
     */
    public static List<TracedJob> read(List<String> lines, int most, Duration longest) {
        if (lines.isEmpty() || !lines.getFirst().strip().equals(HEADER)) {
            throw new IllegalArgumentException("line 1: a Philly trace begins with " + HEADER);
        }
        var jobs = new ArrayList<TracedJob>(lines.size());
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                jobs.add(job(i + 1, lines.get(i), longest));
            }
        }
        // A stable sort, so that the order is total.
        jobs.sort(Comparator.comparing(TracedJob::submittedAt));
        return List.copyOf(jobs.subList(0, Math.min(most, jobs.size())));
    }

    private static TracedJob job(int number, String line, Duration longest) {
        String[] columns = line.split(",", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("line " + number + ": " + columns.length + " columns, not " + COLUMNS);
        }
        try {
            Duration duration = Duration.ofMillis(Math.round(Double.parseDouble(columns[1]) * 1000));
            return new TracedJob(
                    LocalDateTime.parse(columns[0].strip(), TIME).toInstant(ZoneOffset.UTC),
                    bounded(duration, longest),
                    Integer.parseInt(columns[2].strip()),
                    columns[4].strip());
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
    }

    private static Duration bounded(Duration duration, Duration longest) {
        Duration least = Duration.ofSeconds(1);
        if (duration.compareTo(least) < 0) {
            return least;
        }
        return duration.compareTo(longest) > 0 ? longest : duration;
    }
}
