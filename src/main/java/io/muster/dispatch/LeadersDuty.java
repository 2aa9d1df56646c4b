package io.muster.dispatch;

import io.muster.gateway.ClusterDuty;
import org.springframework.stereotype.Component;

/** Whoever may tell the cluster what to do also watches it. */
@Component
class LeadersDuty implements ClusterDuty {
    private final DispatchFence fence;

    LeadersDuty(DispatchFence fence) {
        this.fence = fence;
    }

    @Override
    public boolean isOurs() {
        return fence.isOurs();
    }
}
