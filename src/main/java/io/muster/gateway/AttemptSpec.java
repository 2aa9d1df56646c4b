package io.muster.gateway;

import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that a cluster needs to run one attempt. Replicas stand in rank order.
 *
 * @param attempt which attempt
 * @param team the owner: namespace {@code muster-<teamId>}
 * @param teamPath the owner's path, for an annotation
 * @param jobName what the user called the job, for an annotation
 * @param pool the pool it runs in
 * @param gpuResource the resource name of its GPUs, for example {@code nvidia.com/gpu}
 * @param profile the pool's pod profile
 * @param replicas every replica of the gang, in rank order
 * @param checkpoint how it saves
 * @param resumeFrom path of the checkpoint to resume from, or null
 * @param resumeStep its step, or null
 * @param token the attempt's own API token
 * @param apiUrl where the program reaches Muster
 */
public record AttemptSpec(
        AttemptId attempt,
        TeamId team,
        TeamPath teamPath,
        String jobName,
        PoolId pool,
        String gpuResource,
        PodProfile profile,
        List<ReplicaSpec> replicas,
        Checkpointing checkpoint,
        @Nullable String resumeFrom,
        @Nullable Long resumeStep,
        String token,
        String apiUrl) {

    public AttemptSpec {
        replicas = List.copyOf(replicas);
    }

    /**
     * One pod.
     *
     * @param id its identity, and its name
     * @param node the node it is pinned to
     * @param amount what it asks for
     * @param sharedMemoryBytes size of /dev/shm, 0: the runtime's own
     * @param image container image
     * @param command exec form; empty: the image's own
     * @param workdir working directory, or null
     * @param env the user's variables
     * @param mounts volumes
     */
    public record ReplicaSpec(
            ReplicaId id,
            NodeId node,
            Resources amount,
            long sharedMemoryBytes,
            String image,
            List<String> command,
            @Nullable String workdir,
            Map<String, String> env,
            List<Mount> mounts) {
        public ReplicaSpec {
            command = List.copyOf(command);
            env = Map.copyOf(env);
            mounts = List.copyOf(mounts);
        }
    }

    /** Something mounted in a replica. */
    public sealed interface Mount {
        String at();

        /** A volume that the team was given, by the name of its claim in the team's namespace. */
        record Claim(String claim, @Nullable String subPath, String at, boolean readOnly) implements Mount {}

        /** Scratch space that goes with the pod. */
        record Scratch(long bytes, String at) implements Mount {}
    }

    /**
     * How the attempt saves.
     *
     * @param way how it is asked
     * @param grace how long saving may take
     * @param every how often it saves by itself, or null
     * @param path where checkpoints lie, or null: it does not checkpoint
     */
    public record Checkpointing(
            CheckpointWay way,
            Duration grace,
            @Nullable Duration every,
            @Nullable String path) {}
}
