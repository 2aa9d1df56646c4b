package io.muster.dispatch;

import io.muster.model.AttemptId;
import java.time.Duration;

/**
 * One claimed row of the outbox.
 *
 * @param grace how long the pods get to end; for STOP
 * @param tries how often it has been claimed, this time included
 * @param waited how long it stood in the outbox after it was due
 */
record ClusterCommand(long id, AttemptId attempt, Kind kind, Duration grace, int tries, String claim, Duration waited) {
    enum Kind {
        START,
        SIGNAL,
        STOP
    }
}
