package io.muster.simulation;

import java.time.Duration;

/**
 * The work of an attempt: steps of equal length, from where an earlier attempt left off. Steps are whole, so that an
 * attempt that resumes does again only what was not saved.
 *
 * @param length how long all steps take together
 * @param steps how many there are
 * @param from the step that was saved last, 0 for a first attempt
 */
record Training(Duration length, long steps, long from) {
    Training {
        from = Math.clamp(from, 0, steps);
    }

    /** The last whole step done after training for {@code elapsed}. */
    long stepAfter(Duration elapsed) {
        long millis = Math.clamp(elapsed.toMillis(), 0, lengthMillis());
        return Math.min(steps, from + millis * steps / lengthMillis());
    }

    /** How long this attempt trains until {@code step} is done; zero when it was done before. */
    Duration timeTo(long step) {
        return step <= from ? Duration.ZERO : Duration.ofMillis(Math.ceilDiv((step - from) * lengthMillis(), steps));
    }

    /** How long this attempt trains until the training as a whole has come to {@code position}; negative: it is past. */
    Duration timeToPosition(Duration position) {
        return position.minusMillis(from * lengthMillis() / steps);
    }

    Duration remaining() {
        return timeTo(steps);
    }

    private long lengthMillis() {
        return Math.max(1, length.toMillis());
    }
}
