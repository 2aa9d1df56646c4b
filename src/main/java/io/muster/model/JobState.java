package io.muster.model;

/** Where a job is in its life. Terminal states never change again. */
public enum JobState {
    QUEUED,
    STARTING,
    RUNNING,
    CHECKPOINTING,
    STOPPING,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    HELD;

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }

    /** True while an attempt exists whose pods may hold GPUs. */
    public boolean isActive() {
        return this == STARTING || this == RUNNING || this == CHECKPOINTING || this == STOPPING;
    }
}
