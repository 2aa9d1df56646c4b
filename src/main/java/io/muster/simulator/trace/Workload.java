package io.muster.simulator.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was read.
 *
 * @param format the format's name
 * @param jobs by submit time, then by line
 * @param notes what could not be mapped as it stands, by line
 */
public record Workload(String format, List<RecordedJob> jobs, List<Note> notes) {
    private static final Comparator<RecordedJob> ORDER =
            Comparator.comparing(RecordedJob::submittedAt).thenComparingInt(RecordedJob::line);

    /** A cause, how often, and where first. */
    public record Tally(Note.Effect effect, String why, int count, List<Integer> firstLines) {
        public Tally {
            firstLines = List.copyOf(firstLines);
        }
    }

    public Workload {
        var sorted = new ArrayList<>(jobs);
        sorted.sort(ORDER);
        jobs = List.copyOf(sorted);
        notes = List.copyOf(notes);
    }

    /** The first {@code most} jobs by submit time. */
    public Workload first(int most) {
        return new Workload(format, jobs.subList(0, Math.min(most, jobs.size())), notes);
    }

    /** The same with no job running longer than {@code longest}. */
    public Workload cutAt(Duration longest) {
        return new Workload(format, jobs.stream().map(j -> j.cutAt(longest)).toList(), notes);
    }

    /** Notes by cause, the most frequent first, each with at most {@code most} line numbers. */
    public List<Tally> tallies(int most) {
        Map<String, List<Note>> byCause = new TreeMap<>();
        notes.forEach(n -> byCause.computeIfAbsent(n.effect() + n.why(), k -> new ArrayList<>())
                .add(n));
        return byCause.values().stream()
                .map(same -> new Tally(
                        same.getFirst().effect(),
                        same.getFirst().why(),
                        same.size(),
                        same.stream().limit(most).map(Note::line).toList()))
                .sorted(Comparator.comparingInt(Tally::count).reversed().thenComparing(Tally::why))
                .toList();
    }
}
