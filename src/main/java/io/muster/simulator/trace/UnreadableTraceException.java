package io.muster.simulator.trace;

/** The file as a whole is no trace of its format; the message says where and why. */
public final class UnreadableTraceException extends RuntimeException {
    public UnreadableTraceException(String message) {
        super(message);
    }
}
