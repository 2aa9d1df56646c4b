package io.muster.simulator.trace;

import java.time.Duration;
import java.util.List;

/** Rules that all readers keep. */
final class Lines {
    private static final Duration LEAST = Duration.ofSeconds(1);

    private Lines() {}

    /** At least one GPU. */
    static int gpus(Row row, String column) throws BadLineException {
        int gpus = row.count(column);
        if (gpus == 0) throw new BadLineException("asks for no GPU");
        return gpus;
    }

    /** At least a second, so that a job is seen to run. */
    static Duration runTime(Row row, Duration recorded, List<Note> notes) {
        if (recorded.compareTo(LEAST) >= 0) return recorded;
        notes.add(new Note(row.line(), Note.Effect.CHANGED, "ran for less than a second: counted as one"));
        return LEAST;
    }
}
