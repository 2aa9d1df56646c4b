package io.muster.job;

import java.util.Optional;

/**
 * The first mistake of a text that should be JSON (RFC 8259), in words for whoever wrote it.
 *
 * @param code {@code syntax}
 * @param line from 1
 * @param column from 1, in characters
 */
public record JsonMistake(String code, String message, int line, int column) {

    /** Empty when the text is JSON. */
    public static Optional<JsonMistake> in(String text) {
        return new JsonProof(text).mistake();
    }
}
