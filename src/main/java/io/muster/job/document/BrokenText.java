package io.muster.job.document;

import io.muster.job.DocumentFault;
import io.muster.job.document.Node.Place;
import org.jspecify.annotations.Nullable;

/** Ends the reading of a text that has no tree; never leaves this package. */
final class BrokenText extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 300;

    private final transient DocumentFault fault;

    BrokenText(String code, String message, @Nullable Place at) {
        this("", code, message, at);
    }

    BrokenText(String field, String code, String message, @Nullable Place at) {
        super(message, null, false, false);
        this.fault = new DocumentFault(
                Texts.shown(field, MOST_SHOWN),
                code,
                Texts.shown(message, MOST_SHOWN),
                at == null ? null : at.line(),
                at == null ? null : at.column());
    }

    DocumentFault fault() {
        return fault;
    }
}
