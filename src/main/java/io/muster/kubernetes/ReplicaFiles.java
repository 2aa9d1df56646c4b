package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.CheckpointSignal;
import java.util.Map;

/**
 * The folder that every replica sees: its token, the hostfile of its gang, and the checkpoint signal. Token and
 * hostfile lie in one Secret of the attempt, whose size does not grow with the number of pods; the signal is an
 * annotation of the pod, shown by the downward API.
 */
final class ReplicaFiles {

    static final String FOLDER = "/var/run/muster";
    static final String TOKEN = "token";
    static final String HOSTFILE = "hostfile";
    static final String SIGNAL = "signal";

    private static final int READ_BY_OWNER_AND_GROUP = 0440;
    private static final int READ_BY_ALL = 0444;

    private ReplicaFiles() {}

    static String secretName(AttemptSpec attempt) {
        return attempt.attempt().objectName();
    }

    static Secret secret(AttemptSpec attempt, Marks marks, OwnerReference owner) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(attempt.team()))
                .withName(secretName(attempt))
                .withLabels(marks.of(attempt))
                .withOwnerReferences(owner)
                .endMetadata()
                .withType("muster.io/attempt")
                .withImmutable(true)
                .withStringData(Map.of(TOKEN, attempt.token(), HOSTFILE, hostfile(attempt)))
                .build();
    }

    static Volume volume(AttemptSpec attempt, String name) {
        var group = attempt.profile().runAsGroup();
        return new VolumeBuilder()
                .withName(name)
                .withNewProjected()
                .withDefaultMode(group == null ? READ_BY_ALL : READ_BY_OWNER_AND_GROUP)
                .addNewSource()
                .withNewSecret()
                .withName(secretName(attempt))
                .endSecret()
                .endSource()
                .addNewSource()
                .withNewDownwardAPI()
                .addNewItem()
                .withPath(SIGNAL)
                .withNewFieldRef()
                .withFieldPath("metadata.annotations['" + Marks.SIGNAL + "']")
                .endFieldRef()
                .endItem()
                .endDownwardAPI()
                .endSource()
                .endProjected()
                .build();
    }

    /** One line, the same for every rank; an empty file means that nothing is asked. */
    static String line(CheckpointSignal signal) {
        return "{\"id\":\"" + signal.id() + "\",\"thenStop\":" + signal.thenStop() + ",\"deadline\":\""
                + signal.deadline() + "\"}\n";
    }

    /** MPI's: one line per replica in rank order. The short names resolve inside the team's namespace. */
    private static String hostfile(AttemptSpec attempt) {
        var lines = new StringBuilder();
        for (int rank = 0; rank < attempt.replicas().size(); rank++) {
            var host = attempt.replicas().size() == 1
                    ? "localhost"
                    : ReplicaEnvironment.hostname(attempt, rank) + "."
                            + attempt.attempt().objectName();
            lines.append(host)
                    .append(" slots=")
                    .append(ReplicaEnvironment.ranksIn(attempt.replicas().get(rank)))
                    .append('\n');
        }
        return lines.toString();
    }
}
