package io.muster.model;

/** Why an attempt ended: the pod's reason decides first, its exit code second. */
public enum FailureClass {
    SUCCESS,
    USER_ERROR,
    OUT_OF_MEMORY,
    GPU_FAULT,
    NODE_LOST,
    IMAGE,
    ADMISSION,
    DEADLINE,
    PREEMPTED,
    START_TIMEOUT,
    HANG,
    CANCELLED,
    UNKNOWN;

    /** True when the user's program is at fault, so that the user's own retry budget pays. */
    public boolean isUsersFault() {
        return this == USER_ERROR || this == OUT_OF_MEMORY;
    }

    /** True when the machine is at fault, so that the infrastructure's retry budget pays. */
    public boolean isInfrastructure() {
        return this == GPU_FAULT
                || this == NODE_LOST
                || this == ADMISSION
                || this == START_TIMEOUT
                || this == UNKNOWN
                || this == IMAGE;
    }
}
