package io.muster.lifecycle;

import io.muster.model.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job's state and, while it saves or stops, what comes after.
 *
 * @param state the state
 * @param after what follows; present exactly in CHECKPOINTING and STOPPING
 */
public record Life(JobState state, @Nullable After after) {

    /** What follows a save or a stop. */
    public enum After {
        /** A person's "checkpoint now": it goes on running. Only after CHECKPOINTING. */
        RUNNING,
        QUEUED,
        SUCCEEDED,
        FAILED,
        HELD,
        CANCELLED;

        JobState state() {
            return JobState.valueOf(name());
        }
    }

    public Life {
        boolean carries = state == JobState.CHECKPOINTING || state == JobState.STOPPING;
        if (carries != (after != null) || (state == JobState.STOPPING && after == After.RUNNING)) {
            throw new IllegalArgumentException(state + " with " + after);
        }
    }

    public static Life of(JobState state) {
        return new Life(state, null);
    }

    public static Life checkpointing(After after) {
        return new Life(JobState.CHECKPOINTING, after);
    }

    public static Life stopping(After after) {
        return new Life(JobState.STOPPING, after);
    }
}
