package io.muster.policy;

import java.time.Instant;

/** A numbered state of the policy; the newest is in force. */
public record PolicyRevision(long number, PolicyValues values, Instant since, String by, String why) {}
