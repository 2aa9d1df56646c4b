package io.muster.web.problem;

import java.io.IOException;

/** The body of a request goes on after the most that is read of any. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException() {
        super("the body is too large");
    }
}
