package io.muster.virtual;

import org.jspecify.annotations.Nullable;

/** The fleet's file makes no sense; the message says where and why. */
public final class BadFleetException extends RuntimeException {
    BadFleetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
