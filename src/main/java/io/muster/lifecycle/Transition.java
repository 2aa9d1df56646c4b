package io.muster.lifecycle;

/** What an event does to a job. An expected "no" is a value. */
public sealed interface Transition {

    /** The job's life changes. */
    record Moved(Life to) implements Transition {}

    /** The event is late or repeated; nothing changes and nobody needs to know. */
    record Ignored() implements Transition {}

    /** The event makes no sense here; whoever asked is told. */
    record Refused(Life at, LifecycleEvent event) implements Transition {}
}
