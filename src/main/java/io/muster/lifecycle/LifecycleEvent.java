package io.muster.lifecycle;

import io.muster.lifecycle.Life.After;

/** What can happen to a job. Names are past tense for facts, imperative for wishes. */
public sealed interface LifecycleEvent {

    /** The plan starts a new attempt. */
    record Start() implements LifecycleEvent {}

    /** Every replica of the attempt runs. */
    record GangRunning() implements LifecycleEvent {}

    /** The job is asked to save; then it does what {@code then} says. */
    record RequestCheckpoint(After then) implements LifecycleEvent {}

    /** The program acknowledged the save it was asked for. */
    record CheckpointSaved() implements LifecycleEvent {}

    /** The grace is over without an acknowledgement. */
    record CheckpointDeadlinePassed() implements LifecycleEvent {}

    /** The pods are told to go (with their grace); then the job does what {@code then} says. */
    record Stop(After then) implements LifecycleEvent {}

    /**
     * The attempt broke: a replica failed or was lost; the rest of the gang goes too.
     *
     * @param then QUEUED where policy retries, FAILED where it does not
     */
    record GangBroken(After then) implements LifecycleEvent {}

    /** Every replica ended with exit code 0. */
    record GangSucceeded() implements LifecycleEvent {}

    /** The program said that it is done. */
    record ProgramFinished() implements LifecycleEvent {}

    /** Every pod of the attempt is proven gone. */
    record PodsGone() implements LifecycleEvent {}

    /** A person or the system holds the waiting job (an active one is asked to save or stop, with HELD after it). */
    record Hold() implements LifecycleEvent {}

    /** A held job waits again. */
    record Release() implements LifecycleEvent {}

    /** A person cancels. */
    record Cancel() implements LifecycleEvent {}
}
