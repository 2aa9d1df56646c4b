package io.muster.simulator.trace;

/**
 * What a reader could not map as it stands.
 *
 * @param line where, from 1
 * @param effect what became of the job
 * @param why the same words for the same cause, so that causes can be counted
 */
public record Note(int line, Effect effect, String why) {

    /** What became of the line. */
    public enum Effect {
        /** The job is not part of the workload. */
        LEFT_OUT,
        /** The job is part of it, but not quite as recorded. */
        CHANGED
    }
}
