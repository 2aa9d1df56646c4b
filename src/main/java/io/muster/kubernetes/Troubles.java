package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why pods that have their node do not start: a volume that cannot be mounted, a sandbox that fails. Only events tell.
 */
final class Troubles {

    private static final Duration UNSUSPICIOUS = Duration.ofSeconds(20);
    private static final int MOST_LOOKS = 20;

    private final KubernetesClient client;
    private final Map<String, String> byPod = new ConcurrentHashMap<>();

    Troubles(KubernetesClient client) {
        this.client = client;
    }

    /** Looks at the events of the pods that have waited for long; of a few at a time. */
    void look(Collection<Pod> ours, Instant now) {
        var uids = new HashSet<String>();
        ours.forEach(pod -> uids.add(pod.getMetadata().getUid()));
        byPod.keySet().retainAll(uids);
        ours.stream()
                .filter(ReplicaFacts::waitsOnItsNode)
                .filter(pod -> Instant.parse(pod.getMetadata().getCreationTimestamp())
                        .plus(UNSUSPICIOUS)
                        .isBefore(now))
                .limit(MOST_LOOKS)
                .forEach(pod -> last(pod)
                        .ifPresent(message -> byPod.put(pod.getMetadata().getUid(), message)));
    }

    private Optional<String> last(Pod pod) {
        return client
                .v1()
                .events()
                .inNamespace(pod.getMetadata().getNamespace())
                .withField("involvedObject.uid", pod.getMetadata().getUid())
                .withField("type", "Warning")
                .list()
                .getItems()
                .stream()
                .max(Comparator.comparing(Troubles::time))
                .map(event -> event.getReason() + ": " + event.getMessage());
    }

    private static String time(Event event) {
        if (event.getLastTimestamp() != null) {
            return event.getLastTimestamp();
        }
        return event.getEventTime() != null
                ? event.getEventTime().getTime()
                : event.getMetadata().getCreationTimestamp();
    }

    Optional<String> of(Pod pod) {
        return Optional.ofNullable(byPod.get(pod.getMetadata().getUid()));
    }
}
