package io.muster.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a person may do to a job. */
public enum JobAction {
    CANCEL,
    HOLD,
    RELEASE,
    CHECKPOINT,
    PRIORITY,
    EXTEND,
    PATCH;

    /** As REST says it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<JobAction> of(String word) {
        return Arrays.stream(values()).filter(a -> a.word().equals(word)).findFirst();
    }
}
