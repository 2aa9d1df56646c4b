package io.muster.gateway;

/** Where one pod is. {@code SUCCEEDED} and {@code FAILED} are terminal: its GPUs are free. */
public enum ReplicaPhase {
    PENDING,
    PULLING,
    RUNNING,
    TERMINATING,
    SUCCEEDED,
    FAILED;

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
