package io.muster.job;

import io.muster.model.Reason;
import java.util.List;

/**
 * A document cannot be taken as it is: nothing was stored. Carries every fault, and reasons as data where numbers of the
 * fleet decide.
 */
public final class DocumentRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How it was refused. */
    public enum Kind {
        /** It could not be read at all: line and column are given. */
        MALFORMED,
        /** It has more bytes than a document may have. */
        TOO_LARGE,
        /** It was read and is not valid. */
        INVALID,
        /** It is valid, and the whole fleet could never hold it. */
        NEVER_FITS
    }

    private final Kind kind;
    private final transient List<DocumentFault> faults;
    private final transient List<Reason> reasons;

    DocumentRefused(Kind kind, List<DocumentFault> faults, List<Reason> reasons) {
        super(faults.isEmpty() ? kind.name() : faults.getFirst().message(), null, false, false);
        this.kind = kind;
        this.faults = List.copyOf(faults);
        this.reasons = List.copyOf(reasons);
    }

    static DocumentRefused broken(DocumentFault fault) {
        return new DocumentRefused(
                fault.code().equals("too-large") && fault.line() == null ? Kind.TOO_LARGE : Kind.MALFORMED,
                List.of(fault),
                List.of());
    }

    static DocumentRefused invalid(List<DocumentFault> faults) {
        return new DocumentRefused(Kind.INVALID, faults, List.of());
    }

    public Kind kind() {
        return kind;
    }

    public List<DocumentFault> faults() {
        return faults;
    }

    public List<Reason> reasons() {
        return reasons;
    }
}
