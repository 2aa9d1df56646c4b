package io.muster.dispatch;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.inventory.NodeConfirmedGone;
import java.time.Clock;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** A person's word that a node is dead is proof as good as the cluster's. */
@Component
class ConfirmedGone {
    private final ClusterObserver observer;
    private final Clock clock;

    ConfirmedGone(FactsObserver observer, Clock clock) {
        this.observer = observer;
        this.clock = clock;
    }

    @EventListener
    void on(NodeConfirmedGone gone) {
        observer.observe(List.of(new ClusterFact.NodeGone(gone.node(), clock.instant())));
    }
}
