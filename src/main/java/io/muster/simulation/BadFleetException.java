package io.muster.simulation;

import org.jspecify.annotations.Nullable;

/** The fleet's file makes no sense; the message says where and why. */
public final class BadFleetException extends RuntimeException {
    public BadFleetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
