package io.muster.kubernetes;

import io.muster.gateway.ClusterHealth;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When the cluster was last heard from, and what went wrong since. */
final class Heard {

    private final Clock clock;
    private final Duration silence;
    private volatile @Nullable Instant last;
    private volatile @Nullable String trouble;

    Heard(Clock clock, Duration silence) {
        this.clock = clock;
        this.silence = silence;
    }

    /** A watch told something. */
    void something() {
        last = clock.instant();
    }

    /** A list went through: the cluster answers, whatever its watches do. */
    void everything() {
        last = clock.instant();
        trouble = null;
    }

    void trouble(String what) {
        trouble = what;
    }

    ClusterHealth health(String picture) {
        var heard = last;
        if (heard == null) {
            return new ClusterHealth(
                    false, null, trouble == null ? "not connected yet" : "never connected: " + trouble);
        }
        var quiet = Duration.between(heard, clock.instant());
        boolean reachable = quiet.compareTo(silence) <= 0;
        var detail = reachable ? picture : "nothing heard for " + quiet.toSeconds() + " s";
        var what = trouble;
        return new ClusterHealth(reachable, heard, what == null ? detail : detail + "; " + what);
    }
}
