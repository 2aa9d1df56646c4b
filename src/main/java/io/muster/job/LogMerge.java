package io.muster.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Merges the next lines of many replicas by time. It keeps the text of no more lines than are asked for, however many
 * replicas there are, and says how far each of them was read. Pure.
 *
 * <p>Of each replica one chunk is given. What the chunks after it hold is not known, so lines are answered up to the
 * earliest instant at which a line may stand in one of those; at least one chunk is answered whole, or as many lines as
 * were asked for.
 */
final class LogMerge {
    private final Predicate<String> wanted;
    private final Kept earliest;

    private final List<Read> reads = new ArrayList<>();
    private Instant horizon = Instant.MAX;

    /** @param mostChars no further line is answered once they have so many characters */
    LogMerge(int mostLines, int mostChars, Predicate<String> wanted) {
        this.wanted = wanted;
        this.earliest = new Kept(Entry.ORDER.reversed(), mostLines, mostChars);
    }

    /** The latest lines of many, within bounds. */
    static Kept latest(int mostLines, int mostChars) {
        return new Kept(Entry.ORDER, mostLines, mostChars);
    }

    /** As many lines as the bounds allow, at least one; what is over goes, the first of an order first. */
    static final class Kept {
        private final PriorityQueue<Entry> lines;
        private final int mostLines;
        private final int mostChars;
        private int chars;
        private boolean full;

        private Kept(Comparator<Entry> leaving, int mostLines, int mostChars) {
            this.lines = new PriorityQueue<>(leaving);
            this.mostLines = mostLines;
            this.mostChars = mostChars;
        }

        void add(Entry line) {
            lines.add(line);
            chars += line.chars();
            while (lines.size() > 1
                    && (lines.size() > mostLines || chars - lines.element().chars() >= mostChars)) {
                chars -= lines.remove().chars();
                full = true;
            }
        }

        List<Entry> inOrder() {
            return lines.stream().sorted(Entry.ORDER).toList();
        }
    }

    /**
     * The chunk in which a replica is to be read on.
     *
     * @param rank the replica's place among the others
     * @param first number of the chunk's first line
     * @param nextAt when the chunk after it begins, or null: there is none
     */
    record Head(
            String replica,
            int rank,
            long first,
            List<LogChunk.Line> lines,
            @Nullable Instant nextAt) {}

    /** A line in its place. */
    record Entry(Instant time, int rank, long number, String replica, LogChunk.Line line) {
        static final Comparator<Entry> ORDER =
                Comparator.comparing(Entry::time).thenComparingInt(Entry::rank).thenComparingLong(Entry::number);

        int chars() {
            return line.text().length();
        }
    }

    /** How a replica's lines, from {@code from} on, stand in time: never before the line above. */
    private record Read(String replica, int rank, long from, Instant[] times, boolean hasNext) {}

    /**
     * What was merged.
     *
     * @param positions the next line of each replica that was read
     * @param more there are lines that were not answered
     */
    record Merged(List<Entry> lines, Map<String, Long> positions, boolean more) {}

    /** @param next the first line that has not been read yet */
    void add(Head head, long next) {
        int skipped = (int) Math.clamp(next - head.first(), 0, head.lines().size());
        List<LogChunk.Line> lines = head.lines().subList(skipped, head.lines().size());
        long from = head.first() + skipped;
        var times = new Instant[lines.size()];
        Instant time = Instant.MIN;
        for (int i = 0; i < times.length; i++) {
            LogChunk.Line line = lines.get(i);
            time = line.at().isAfter(time) ? line.at() : time;
            times[i] = time;
            if (wanted.test(line.text())) {
                earliest.add(new Entry(time, head.rank(), from + i, head.replica(), line));
            }
        }
        reads.add(new Read(head.replica(), head.rank(), from, times, head.nextAt() != null));
        if (head.nextAt() != null) {
            Instant begins = head.nextAt().isAfter(time) ? head.nextAt() : time;
            horizon = begins.isBefore(horizon) ? begins : horizon;
        }
    }

    Merged merged() {
        List<Entry> kept = earliest.inOrder();
        List<Entry> lines =
                kept.stream().filter(e -> !e.time().isAfter(horizon)).toList();
        // Those that had no room stand later than all that were kept.
        boolean cut = earliest.full && lines.size() == kept.size();
        Entry last = cut ? lines.getLast() : null;
        var positions = new HashMap<String, Long>();
        boolean more = cut;
        for (Read read : reads) {
            int done = done(read, last);
            positions.put(read.replica(), read.from() + done);
            more |= done < read.times().length || read.hasNext();
        }
        return new Merged(lines, positions, more);
    }

    /** How many lines of a replica stand no later than the last that is answered. */
    private int done(Read read, @Nullable Entry last) {
        int done = 0;
        while (done < read.times().length && isDone(read, done, last)) {
            done++;
        }
        return done;
    }

    private boolean isDone(Read read, int i, @Nullable Entry last) {
        Instant time = read.times()[i];
        if (last == null || !time.equals(last.time())) {
            return !time.isAfter(last == null ? horizon : last.time());
        }
        return read.rank() < last.rank() || read.rank() == last.rank() && read.from() + i <= last.number();
    }
}
