package io.muster.gateway;

import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that a cluster says is so. Times are those of the cluster's clock. */
public sealed interface ClusterFact {

    Instant at();

    /**
     * A node as it is now; replaces what was known of it.
     *
     * @param labels all its labels
     * @param taints its taints
     * @param allocatable resource name to amount (GPUs in units, {@code cpu} in thousandths, {@code memory} in bytes)
     * @param ready its Ready condition
     * @param unschedulable cordoned by Kubernetes' own means
     * @param badConditions conditions that say it is not well, for people
     */
    record NodeSeen(
            NodeId node,
            Map<String, String> labels,
            List<Taint> taints,
            Map<String, Long> allocatable,
            boolean ready,
            boolean unschedulable,
            List<String> badConditions,
            Instant at)
            implements ClusterFact {
        public NodeSeen {
            labels = Map.copyOf(labels);
            taints = List.copyOf(taints);
            allocatable = Map.copyOf(allocatable);
            badConditions = List.copyOf(badConditions);
        }
    }

    /** A taint of a node. */
    record Taint(String key, @Nullable String value, String effect) {}

    /** The node object is gone: what ran on it is proven gone too. */
    record NodeGone(NodeId node, Instant at) implements ClusterFact {}

    /** Pods that are not Muster's hold this much of the node; replaces what was known. */
    record ForeignUsage(NodeId node, Resources used, Instant at) implements ClusterFact {}

    /**
     * A replica as it is now.
     *
     * @param reason the pod's or container's reason as the cluster words it, or null
     * @param exitCode the container's exit code once it ended, or null
     * @param failure the class, when the phase is FAILED or a wait cannot end well (an image that does not exist)
     * @param message one sentence for people, or null
     */
    record ReplicaSeen(
            ReplicaId replica,
            ReplicaPhase phase,
            NodeId node,
            @Nullable String reason,
            @Nullable Integer exitCode,
            @Nullable FailureClass failure,
            @Nullable String message,
            Instant at)
            implements ClusterFact {}

    /** The pod is proven gone: deleted, or its node is. */
    record ReplicaGone(ReplicaId replica, Instant at) implements ClusterFact {}

    /**
     * A complete list: every replica of ours that exists, terminal ones included. What the ledger believes and the
     * list lacks is gone, unless it was dispatched after {@code at}.
     */
    record FullList(Set<ReplicaId> replicas, Set<NodeId> nodes, Instant at) implements ClusterFact {
        public FullList {
            replicas = Set.copyOf(replicas);
            nodes = Set.copyOf(nodes);
        }
    }

    /**
     * Output of a replica.
     *
     * @param offset number of the first line, from 0 in this replica, so that repeats are recognised
     * @param lines without line ends, each at most 16 KiB
     */
    record LogLines(ReplicaId replica, long offset, List<String> lines, Instant at) implements ClusterFact {
        public LogLines {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The program saved.
     *
     * @param signal the signal it answers, or null: a periodic checkpoint
     * @param bytes size, or null: unknown
     */
    record CheckpointSaved(
            AttemptId attempt,
            @Nullable UUID signal,
            long step,
            String path,
            @Nullable Long bytes,
            Instant at) implements ClusterFact {}

    /** The program reports progress; {@code loss} is whatever it minimises, null when it does not say. */
    record ProgressMade(
            AttemptId attempt,
            long step,
            @Nullable Long of,
            @Nullable Double loss,
            Instant at) implements ClusterFact {}

    /** The program says that it is done, so that its end is a success even after a signal. */
    record ProgramFinished(AttemptId attempt, Instant at) implements ClusterFact {}
}
