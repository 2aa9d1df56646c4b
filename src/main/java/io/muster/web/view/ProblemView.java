package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RFC 9457 problem; {@code type} is stable ({@code https://muster.dev/problems/<slug>}).
 *
 * @param errors every field at fault
 * @param reasons reasons as data, for example never-fits
 */
public record ProblemView(
        String type,
        String title,
        int status,
        @Nullable String detail,
        @Nullable String instance,
        List<FieldError> errors,
        List<ReasonView> reasons) {

    /** {@code field} as a path in the document, for example {@code groups[0].resources.gpus}; line and column from 1. */
    public record FieldError(
            String field,
            String code,
            String message,
            @Nullable Integer line,
            @Nullable Integer column) {}
}
