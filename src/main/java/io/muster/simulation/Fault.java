package io.muster.simulation;

import java.time.Duration;
import java.util.Locale;

/**
 * What goes wrong in an attempt.
 *
 * @param kind how
 * @param at where in the training, counted from its first step over all attempts; meaningless before it starts
 * @param replica the replica, in rank order, that is hit
 * @param exitCode with which it ends
 */
public record Fault(Kind kind, Duration at, int replica, int exitCode) {

    /** Ways to fail, as written in {@code VIRTUAL_FAIL}. */
    public enum Kind {
        /** The program ends with an exit code of its own. */
        ERROR,
        /** The kernel kills it for its memory. */
        OOM,
        /** A GPU is lost to the driver. */
        GPU,
        /** It stops making progress and does not end. */
        HANG,
        /** Its image cannot be pulled. */
        IMAGE,
        /** The node will not have the pod. */
        ADMISSION;

        String written() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
