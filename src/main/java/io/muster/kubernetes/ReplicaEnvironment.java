package io.muster.kubernetes;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables of one replica: what PyTorch's {@code env://} rendezvous and torchrun ({@code PET_*}) read, and
 * Muster's own. A rank is one process; there is one per GPU, and one in a replica without GPUs.
 */
record ReplicaEnvironment(AttemptSpec attempt, String clusterDomain) {

    static final int MASTER_PORT = 29500;

    /** Own variables win over the user's, which win over the pool's. */
    Map<String, String> of(int rankOfReplica) {
        var replica = attempt.replicas().get(rankOfReplica);
        var env = new TreeMap<String, String>(attempt.profile().env());
        env.putAll(replica.env());
        addRendezvous(env, replica, rankOfReplica);
        addMuster(env, replica);
        if (replica.amount().gpus() == 0) {
            // Else a runtime whose default is "all" would show it every GPU of the node.
            env.put("NVIDIA_VISIBLE_DEVICES", "void");
        }
        return env;
    }

    private void addRendezvous(Map<String, String> env, ReplicaSpec replica, int rankOfReplica) {
        var nodes = Integer.toString(attempt.replicas().size());
        var nodeRank = Integer.toString(rankOfReplica);
        var local = Integer.toString(ranksIn(replica));
        var port = Integer.toString(MASTER_PORT);
        env.put("MASTER_ADDR", masterAddress());
        env.put("MASTER_PORT", port);
        env.put(
                "WORLD_SIZE",
                Integer.toString(attempt.replicas().stream()
                        .mapToInt(ReplicaEnvironment::ranksIn)
                        .sum()));
        env.put("NNODES", nodes);
        env.put("NODE_RANK", nodeRank);
        env.put("NPROC_PER_NODE", local);
        env.put("LOCAL_WORLD_SIZE", local);
        env.put("PET_NNODES", nodes);
        env.put("PET_NODE_RANK", nodeRank);
        env.put("PET_NPROC_PER_NODE", local);
        env.put("PET_MASTER_ADDR", masterAddress());
        env.put("PET_MASTER_PORT", port);
        if (attempt.replicas().stream().allMatch(each -> ranksIn(each) == 1)) {
            env.put("RANK", nodeRank);
            env.put("LOCAL_RANK", "0");
        }
    }

    private void addMuster(Map<String, String> env, ReplicaSpec replica) {
        var id = attempt.attempt();
        env.put("MUSTER_JOB", id.job().toString());
        env.put("MUSTER_ATTEMPT", Integer.toString(id.number()));
        env.put("MUSTER_REPLICA", replica.id().group() + "-" + replica.id().index());
        env.put("MUSTER_API", attempt.apiUrl());
        env.put("MUSTER_TOKEN_FILE", ReplicaFiles.FOLDER + "/" + ReplicaFiles.TOKEN);
        env.put("MUSTER_SIGNAL_FILE", ReplicaFiles.FOLDER + "/" + ReplicaFiles.SIGNAL);
        env.put("MUSTER_HOSTFILE", ReplicaFiles.FOLDER + "/" + ReplicaFiles.HOSTFILE);
        putIfSet(env, "MUSTER_CHECKPOINT_DIR", attempt.checkpoint().path());
        putIfSet(env, "MUSTER_RESUME_FROM", attempt.resumeFrom());
        putIfSet(env, "MUSTER_RESUME_STEP", attempt.resumeStep());
    }

    private static void putIfSet(Map<String, String> env, String name, @Nullable Object value) {
        if (value != null) {
            env.put(name, value.toString());
        }
    }

    /** A single replica has no Service and needs no name. */
    private String masterAddress() {
        if (attempt.replicas().size() == 1) {
            return "127.0.0.1";
        }
        var service = attempt.attempt().objectName() + "." + Marks.namespace(attempt.team()) + ".svc." + clusterDomain;
        return hostname(attempt, 0) + "." + service;
    }

    static int ranksIn(ReplicaSpec replica) {
        return Math.max(1, replica.amount().gpus());
    }

    /** A pod's name may be longer than the 63 characters that DNS allows one label. */
    static String hostname(AttemptSpec attempt, int rankOfReplica) {
        var name = attempt.replicas().get(rankOfReplica).id().podName();
        return name.length() <= 63 ? name : attempt.attempt().objectName() + "-r" + rankOfReplica;
    }
}
