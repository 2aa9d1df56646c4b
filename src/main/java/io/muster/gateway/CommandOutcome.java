package io.muster.gateway;

import io.muster.model.FailureClass;
import java.time.Duration;

/** What became of a command. */
public sealed interface CommandOutcome {

    /** It took effect, now or earlier. */
    record Done() implements CommandOutcome {}

    /** It may or may not have taken effect (time-out, overload): repeat it after {@code delay}. */
    record Later(Duration delay, String why) implements CommandOutcome {}

    /** The cluster said no, and will say no again. */
    record Refused(FailureClass failure, String why) implements CommandOutcome {}
}
