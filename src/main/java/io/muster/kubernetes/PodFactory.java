package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns a replica into the pod that is it. Everything is a field of its own: nothing that a user wrote is ever read as
 * a piece of pod spec.
 */
final class PodFactory {

    static final String CONTAINER = "main";

    private final Marks marks;
    private final KubernetesProperties settings;

    PodFactory(Marks marks, KubernetesProperties settings) {
        this.marks = marks;
        this.settings = settings;
    }

    /**
     * The pod of the replica at this place in rank order; {@code owner} is the gang's Service, null for a single
     * replica.
     */
    Pod pod(AttemptSpec attempt, int rank, @Nullable OwnerReference owner) {
        var replica = attempt.replicas().get(rank);
        var volumes = new ReplicaVolumes(attempt, replica);
        var spec = new PodBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(attempt.team()))
                .withName(replica.id().podName())
                .withLabels(marks.of(attempt, replica.id()))
                .withAnnotations(annotations(attempt, replica))
                .withOwnerReferences(owner == null ? List.of() : List.of(owner))
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAffinity(pinnedTo(replica.node()))
                .withTolerations(tolerations(attempt.profile()))
                .withPriorityClassName(settings.priorityClass())
                .withRuntimeClassName(attempt.profile().runtimeClass())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                // The pause container becomes process 1: it reaps, and the program gets SIGTERM with its usual meaning.
                .withShareProcessNamespace(true)
                .withTerminationGracePeriodSeconds(seconds(attempt))
                .withSecurityContext(podSecurity(attempt.profile()))
                .withVolumes(volumes.volumes())
                .withContainers(container(attempt, rank, volumes));
        if (owner != null) {
            spec.withHostname(ReplicaEnvironment.hostname(attempt, rank))
                    .withSubdomain(attempt.attempt().objectName());
        }
        return spec.endSpec().build();
    }

    private static long seconds(AttemptSpec attempt) {
        return Math.max(1, attempt.checkpoint().grace().plusMillis(999).toSeconds());
    }

    private static Map<String, String> annotations(AttemptSpec attempt, ReplicaSpec replica) {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put("muster.io/job-name", attempt.jobName());
        annotations.put("muster.io/team-path", attempt.teamPath().value());
        annotations.put("muster.io/pool", attempt.pool().value());
        annotations.put(Marks.NODE, replica.node().value());
        return annotations;
    }

    private Container container(AttemptSpec attempt, int rank, ReplicaVolumes volumes) {
        var replica = attempt.replicas().get(rank);
        var amounts = amounts(attempt, replica);
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(replica.image())
                .withImagePullPolicy(attempt.profile().imagePullPolicy())
                .withCommand(
                        replica.command().stream().map(PodFactory::literally).toList())
                .withWorkingDir(replica.workdir())
                .withEnv(environment(new ReplicaEnvironment(attempt, settings.clusterDomain()).of(rank)))
                .withNewResources()
                .withRequests(amounts)
                .withLimits(amounts)
                .endResources()
                .withVolumeMounts(volumes.mounts())
                .withSecurityContext(containerSecurity(attempt.profile()))
                .build();
    }

    /** Requests equal limits, so that a replica is neither evicted for its neighbours nor slowed by them. */
    private static Map<String, Quantity> amounts(AttemptSpec attempt, ReplicaSpec replica) {
        var amounts = new LinkedHashMap<String, Quantity>();
        var asked = replica.amount();
        if (asked.gpus() > 0) {
            amounts.put(attempt.gpuResource(), new Quantity(Integer.toString(asked.gpus())));
        }
        if (asked.cpuMillis() > 0) {
            amounts.put("cpu", new Quantity(asked.cpuMillis() + "m"));
        }
        if (asked.memoryBytes() > 0) {
            amounts.put("memory", new Quantity(Long.toString(asked.memoryBytes())));
        }
        attempt.profile().extraResources().forEach((name, amount) -> amounts.put(name, new Quantity(amount)));
        return amounts;
    }

    private static List<EnvVar> environment(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> new EnvVar(variable.getKey(), literally(variable.getValue()), null))
                .toList();
    }

    /** Kubernetes would replace {@code $(NAME)}; users mean their own shell by it. */
    private static String literally(String text) {
        return text.replace("$(", "$$(");
    }

    /** What DaemonSets do: kube-scheduler still checks CPU, memory, taints and ports, but has no choice of node. */
    private static Affinity pinnedTo(NodeId node) {
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node.value())
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    private static List<Toleration> tolerations(PodProfile profile) {
        var tolerations = new ArrayList<Toleration>();
        for (var toleration : profile.tolerations()) {
            tolerations.add(new TolerationBuilder()
                    .withKey(toleration.key())
                    .withOperator(toleration.operator())
                    .withValue(toleration.value())
                    .withEffect(toleration.effect())
                    .build());
        }
        // Without these Kubernetes would delete the pods of a node that is merely out of reach: whether they are lost
        // is Muster's to say.
        for (var key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            tolerations.add(new TolerationBuilder()
                    .withKey(key)
                    .withOperator("Exists")
                    .withEffect("NoExecute")
                    .build());
        }
        return tolerations;
    }

    private static PodSecurityContext podSecurity(PodProfile profile) {
        var context = new PodSecurityContextBuilder()
                .withRunAsUser(profile.runAsUser())
                .withRunAsGroup(profile.runAsGroup())
                .withFsGroup(profile.runAsGroup())
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile();
        if (profile.runAsGroup() != null) {
            context.withFsGroupChangePolicy("OnRootMismatch");
        }
        return (mayBeRoot(profile) ? context : context.withRunAsNonRoot(true)).build();
    }

    private static boolean mayBeRoot(PodProfile profile) {
        return Long.valueOf(0).equals(profile.runAsUser())
                && !profile.podSecurity().equals("restricted");
    }

    private static SecurityContext containerSecurity(PodProfile profile) {
        return new SecurityContextBuilder()
                .withPrivileged(false)
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .withAdd(profile.addCapabilities())
                .endCapabilities()
                .build();
    }
}
