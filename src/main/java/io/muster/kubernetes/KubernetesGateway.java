package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.Mount;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.CommandOutcome;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes and deletes the objects of attempts. Every call looks before it repeats: objects are created under names that
 * the attempt determines, and one that is there already is adopted. Calls for the same job never overlap.
 */
final class KubernetesGateway implements ClusterGateway {

    /**
     * Zero would take the pod off the API server before the kubelet has stopped it: only for a node that is proven
     * dead.
     */
    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final Marks marks;
    private final ApiErrors errors = new ApiErrors();
    private final Patches patches;
    private final TeamNamespaces namespaces;
    private final PodFactory pods;
    private final Creation.Creator creator;
    private final ClusterView view;
    private final Homes homes = new Homes();
    private final JobOrder order;
    private final Fanout fanout = new Fanout();

    KubernetesGateway(
            KubernetesClient client, Marks marks, KubernetesProperties settings, JobOrder order, ClusterView view) {
        this.order = order;
        this.client = client;
        this.marks = marks;
        this.patches = new Patches(client, settings);
        var fences = new Fences(marks, settings, client.getConfiguration().getMasterUrl());
        this.namespaces = new TeamNamespaces(client, marks, errors, fences, patches);
        this.pods = new PodFactory(marks, settings);
        this.creator = new Creation.Creator(client, marks, errors);
        this.view = view;
    }

    @Override
    public CommandOutcome start(AttemptSpec attempt) {
        return order.inOrder(attempt.attempt().job(), () -> {
            homes.remember(attempt.attempt(), Marks.namespace(attempt.team()));
            var outcome = firstThatIsNotDone(List.of(
                    () -> nodesExist(attempt),
                    () -> namespaces.ensure(attempt),
                    () -> claimsExist(attempt),
                    () -> attempt.replicas().size() == 1 ? startSingle(attempt) : startGang(attempt)));
            if (!(outcome instanceof CommandOutcome.Done)) {
                namespaces.forget(attempt.team());
            }
            return outcome;
        });
    }

    private static CommandOutcome firstThatIsNotDone(List<Supplier<CommandOutcome>> steps) {
        for (var step : steps) {
            var outcome = step.get();
            if (!(outcome instanceof CommandOutcome.Done)) {
                return outcome;
            }
        }
        return new CommandOutcome.Done();
    }

    private CommandOutcome nodesExist(AttemptSpec attempt) {
        for (var replica : attempt.replicas()) {
            try {
                if (!view.hasNode(replica.node())
                        && client.nodes().withName(replica.node().value()).get() == null) {
                    return new CommandOutcome.Refused(
                            FailureClass.NODE_LOST, "node " + replica.node() + " does not exist");
                }
            } catch (KubernetesClientException e) {
                return errors.outcome(e);
            }
        }
        return new CommandOutcome.Done();
    }

    /** A pod with a claim that nobody made would wait for ever, and another node would not help it. */
    private CommandOutcome claimsExist(AttemptSpec attempt) {
        var namespace = Marks.namespace(attempt.team());
        var claims = attempt.replicas().stream()
                .flatMap(replica -> replica.mounts().stream())
                .flatMap(mount -> mount instanceof Mount.Claim claim ? Stream.of(claim.claim()) : Stream.empty())
                .collect(Collectors.toCollection(TreeSet::new));
        try {
            for (var claim : claims) {
                if (client.persistentVolumeClaims()
                                .inNamespace(namespace)
                                .withName(claim)
                                .get()
                        == null) {
                    return new CommandOutcome.Refused(
                            FailureClass.USER_ERROR,
                            "there is no volume claim " + claim + " in namespace " + namespace);
                }
            }
            return new CommandOutcome.Done();
        } catch (KubernetesClientException e) {
            return errors.outcome(e);
        }
    }

    /** The pod waits for its Secret, which it owns. */
    private CommandOutcome startSingle(AttemptSpec attempt) {
        return switch (creator.create(pods.pod(attempt, 0, null), attempt.attempt())) {
            case Creation.There<Pod>(var pod) ->
                creator.createUnread(ReplicaFiles.secret(attempt, marks, GangService.owner(pod)));
            case Creation.NotThere<Pod>(var why) -> why;
        };
    }

    private CommandOutcome startGang(AttemptSpec attempt) {
        return switch (creator.create(GangService.service(attempt, marks), attempt.attempt())) {
            case Creation.There<?>(var service) -> {
                var owner = GangService.owner(service);
                yield firstThatIsNotDone(List.of(
                        () -> creator.createUnread(ReplicaFiles.secret(attempt, marks, owner)),
                        () -> startPods(attempt, owner)));
            }
            case Creation.NotThere<?>(var why) -> why;
        };
    }

    private CommandOutcome startPods(AttemptSpec attempt, @Nullable OwnerReference owner) {
        return fanout.all(attempt.replicas().size(), rank -> switch (creator.create(
                pods.pod(attempt, rank, owner), attempt.attempt())) {
            case Creation.There<Pod> _ -> new CommandOutcome.Done();
            case Creation.NotThere<Pod>(var why) -> why;
        });
    }

    @Override
    public CommandOutcome signal(AttemptId attempt, CheckpointSignal signal) {
        return order.inOrder(attempt.job(), () -> {
            try {
                var running = podsOf(attempt).stream()
                        .filter(KubernetesGateway::isAlive)
                        .toList();
                if (running.isEmpty()) {
                    return new CommandOutcome.Refused(
                            FailureClass.UNKNOWN, attempt + " has no pods that could be told");
                }
                return fanout.all(running.size(), i -> write(running.get(i), signal));
            } catch (KubernetesClientException e) {
                return errors.outcome(e);
            }
        });
    }

    private CommandOutcome write(Pod pod, CheckpointSignal signal) {
        try {
            patches.annotate(pod, Marks.SIGNAL, ReplicaFiles.line(signal));
            return new CommandOutcome.Done();
        } catch (KubernetesClientException e) {
            return ApiErrors.isMissing(e) ? new CommandOutcome.Done() : errors.outcome(e);
        }
    }

    @Override
    public CommandOutcome stop(AttemptId attempt, Duration grace) {
        return order.inOrder(attempt.job(), () -> {
            try {
                var there = podsOf(attempt);
                var namespacesOfIt = new HashSet<>(homes.of(attempt));
                there.forEach(pod -> namespacesOfIt.add(pod.getMetadata().getNamespace()));
                return firstThatIsNotDone(List.of(
                        () -> fanout.all(there.size(), i -> delete(there.get(i), grace)),
                        () -> deleteServices(attempt, namespacesOfIt)));
            } catch (KubernetesClientException e) {
                return errors.outcome(e);
            }
        });
    }

    private CommandOutcome delete(Pod pod, Duration grace) {
        try {
            client.resource(pod)
                    .withGracePeriod(Math.max(
                            SHORTEST_GRACE.toSeconds(), grace.plusMillis(999).toSeconds()))
                    .delete();
            return new CommandOutcome.Done();
        } catch (KubernetesClientException e) {
            return ApiErrors.isMissing(e) ? new CommandOutcome.Done() : errors.outcome(e);
        }
    }

    /** In the foreground: the Service, and with it the names of the pods, stays until the last of them is gone. */
    private CommandOutcome deleteServices(AttemptId attempt, Set<String> namespacesOfIt) {
        for (var namespace : namespacesOfIt) {
            var service = client.services().inNamespace(namespace).withName(attempt.objectName());
            var there = service.get();
            if (there != null
                    && marks.isOf(there, attempt)
                    && there.getMetadata().getDeletionTimestamp() == null) {
                service.withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
            }
        }
        homes.forget(attempt);
        errors.worked();
        return new CommandOutcome.Done();
    }

    private List<Pod> podsOf(AttemptId attempt) {
        return client.pods()
                .inAnyNamespace()
                .withLabels(marks.selectorOf(attempt))
                .list()
                .getItems();
    }

    private static boolean isAlive(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && !Set.of("Succeeded", "Failed").contains(pod.getStatus().getPhase());
    }

    @Override
    public ClusterHealth health() {
        return view.health();
    }
}
