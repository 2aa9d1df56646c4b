package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.model.AttemptId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes Services of ours that lead to no pods: a server that dies between making the Service of a gang and its first
 * pod leaves one behind, with its Secret, when the gang is then not started after all. An old one without pods goes; if
 * the gang is being started even now, that start makes it anew, as the two never overlap.
 */
final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final KubernetesClient client;
    private final Marks marks;
    private final JobOrder order;
    private final Duration age;

    /** @param age younger ones are left: their pods may be on their way */
    Orphans(KubernetesClient client, Marks marks, JobOrder order, Duration age) {
        this.client = client;
        this.marks = marks;
        this.order = order;
        this.age = age;
    }

    /** Never throws: what could not be removed is an orphan at the next look, too. */
    void remove(List<Service> services, List<Pod> pods, Instant now) {
        Set<AttemptId> withPods =
                pods.stream().flatMap(pod -> marks.attempt(pod).stream()).collect(Collectors.toSet());
        for (var service : services) {
            Optional<AttemptId> attempt = marks.attempt(service);
            if (attempt.isPresent() && !withPods.contains(attempt.get()) && isOld(service, now)) {
                remove(service, attempt.get());
            }
        }
    }

    private boolean isOld(Service service, Instant now) {
        var metadata = service.getMetadata();
        return metadata.getDeletionTimestamp() == null
                && Instant.parse(metadata.getCreationTimestamp()).plus(age).isBefore(now);
    }

    private void remove(Service service, AttemptId attempt) {
        try {
            order.inOrder(attempt.job(), () -> removeIfStillAlone(service, attempt));
        } catch (KubernetesClientException e) {
            LOG.info("{} leads to no pods and could not be removed yet: {}", attempt, ApiErrors.text(e));
        }
    }

    private boolean removeIfStillAlone(Service service, AttemptId attempt) {
        boolean alone = client.pods()
                .inAnyNamespace()
                .withLabels(marks.selectorOf(attempt))
                .list()
                .getItems()
                .isEmpty();
        if (alone) {
            LOG.info("The Service of {} leads to no pods; it is removed", attempt);
            client.services()
                    .inNamespace(service.getMetadata().getNamespace())
                    .withName(service.getMetadata().getName())
                    .lockResourceVersion(service.getMetadata().getResourceVersion())
                    .delete();
        }
        return alone;
    }
}
