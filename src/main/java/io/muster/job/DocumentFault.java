package io.muster.job;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a document.
 *
 * @param field path of the field, for example {@code groups[1].resources.gpus}; empty: the document as a whole
 * @param code a stable word, for example {@code unknown-field}
 * @param message for people, with the numbers
 * @param line where in the text, from 1; null when it was not read from text
 * @param column likewise
 */
public record DocumentFault(
        String field,
        String code,
        String message,
        @Nullable Integer line,
        @Nullable Integer column) {}
