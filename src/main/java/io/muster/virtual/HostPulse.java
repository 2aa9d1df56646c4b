package io.muster.virtual;

import io.muster.gateway.ClusterHealth;
import java.time.Instant;

/** Remembers when this server last looked at the virtual cluster, and how that went. */
final class HostPulse {
    private volatile ClusterHealth last =
            new ClusterHealth(false, null, "the virtual cluster has not been looked at yet");

    void looked(Instant at, boolean tells) {
        last = new ClusterHealth(
                true, at, tells ? "the virtual cluster runs here" : "the virtual cluster runs on another server");
    }

    void failed(String why) {
        last = new ClusterHealth(false, last.lastHeard(), why);
    }

    ClusterHealth health() {
        return last;
    }
}
