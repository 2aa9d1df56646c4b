package io.muster.model;

/** How a job is asked to save: by SIGTERM on deletion, by a line in a file of the pod, or by the signals endpoint. */
public enum CheckpointWay {
    SIGTERM,
    FILE,
    API
}
