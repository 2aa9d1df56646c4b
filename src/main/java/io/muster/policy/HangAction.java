package io.muster.policy;

/** What follows when a program falls silent. */
public enum HangAction {
    /** Nothing, and nobody is told. */
    NEVER,
    /** People are told. */
    ALERT,
    /** People are told, and the job is started again from its last checkpoint without being asked to save. */
    RESTART
}
