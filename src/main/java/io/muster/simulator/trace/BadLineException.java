package io.muster.simulator.trace;

/** A line that cannot be mapped; the message is its cause, in the same words for the same cause. */
final class BadLineException extends Exception {
    BadLineException(String why) {
        super(why, null, false, false);
    }
}
