package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.muster.gateway.AttemptSpec;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The labels by which this installation knows its own objects again. Only what Muster itself made up is a label; what
 * users typed goes into annotations, where it selects nothing.
 */
record Marks(String installation) {

    static final String INSTALLATION = "muster.io/installation";
    static final String JOB = "muster.io/job";
    static final String ATTEMPT = "muster.io/attempt";
    static final String GROUP = "muster.io/group";
    static final String INDEX = "muster.io/index";
    static final String TEAM = "muster.io/team";

    static final String NODE = "muster.io/node";
    static final String SIGNAL = "muster.io/signal";

    static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    static String namespace(TeamId team) {
        return "muster-" + team.value();
    }

    Map<String, String> ofNamespace(TeamId team) {
        var labels = common();
        labels.put(TEAM, team.toString());
        return labels;
    }

    Map<String, String> of(AttemptSpec attempt) {
        var labels = ofNamespace(attempt.team());
        labels.put("app.kubernetes.io/instance", attempt.attempt().objectName());
        labels.putAll(selectorOf(attempt.attempt()));
        return labels;
    }

    Map<String, String> of(AttemptSpec attempt, ReplicaId replica) {
        var labels = of(attempt);
        labels.put(GROUP, replica.group());
        labels.put(INDEX, Integer.toString(replica.index()));
        return labels;
    }

    /** Selects what belongs to an attempt. */
    Map<String, String> selectorOf(AttemptId attempt) {
        return Map.of(
                INSTALLATION, installation,
                JOB, Long.toString(attempt.job().value()),
                ATTEMPT, Integer.toString(attempt.number()));
    }

    boolean isOurs(HasMetadata object) {
        return installation.equals(label(object, INSTALLATION));
    }

    boolean isOf(HasMetadata object, AttemptId attempt) {
        return selectorOf(attempt).entrySet().stream()
                .allMatch(mark -> mark.getValue().equals(label(object, mark.getKey())));
    }

    /** The replica that a pod is; empty when it is not ours, or somebody wrote nonsense into our labels. */
    Optional<ReplicaId> replica(HasMetadata pod) {
        var job = label(pod, JOB);
        var attempt = label(pod, ATTEMPT);
        var group = label(pod, GROUP);
        var index = label(pod, INDEX);
        if (!isOurs(pod) || job == null || attempt == null || group == null || index == null) {
            return Optional.empty();
        }
        try {
            var id = new AttemptId(new JobId(Long.parseLong(job)), Integer.parseInt(attempt));
            var replica = new ReplicaId(id, group, Integer.parseInt(index));
            return replica.podName().equals(pod.getMetadata().getName()) ? Optional.of(replica) : Optional.empty();
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    /** The attempt that an object of ours belongs to; empty as for {@link #replica}. */
    Optional<AttemptId> attempt(HasMetadata object) {
        var job = label(object, JOB);
        var attempt = label(object, ATTEMPT);
        if (!isOurs(object) || job == null || attempt == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new AttemptId(new JobId(Long.parseLong(job)), Integer.parseInt(attempt)));
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    /** The node that a pod of ours is meant for. */
    static @Nullable NodeId meantFor(HasMetadata pod) {
        var annotations = pod.getMetadata().getAnnotations();
        var node = annotations == null ? null : annotations.get(NODE);
        return node == null ? null : new NodeId(node);
    }

    private Map<String, String> common() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("app.kubernetes.io/name", "muster-job");
        labels.put("app.kubernetes.io/part-of", "muster");
        labels.put(MANAGED_BY, "muster");
        labels.put(INSTALLATION, installation);
        return labels;
    }

    private static @Nullable String label(HasMetadata object, String key) {
        var labels = object.getMetadata().getLabels();
        return labels == null ? null : labels.get(key);
    }
}
