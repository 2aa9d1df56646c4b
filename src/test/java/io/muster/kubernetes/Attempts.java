package io.muster.kubernetes;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.Checkpointing;
import io.muster.gateway.AttemptSpec.Mount;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Attempts for tests: {@code Attempts.of(team).on("n1", 8).on("n2", 8).spec()}. */
final class Attempts {

    private static final AtomicLong JOBS = new AtomicLong(500_000);

    private final TeamId team;
    private final AttemptId attempt = new AttemptId(new JobId(JOBS.incrementAndGet()), 1);
    private final List<ReplicaSpec> replicas = new ArrayList<>();
    private final Map<String, String> env = new LinkedHashMap<>();
    private PodProfile profile = PodProfile.SHIPPED;
    private List<String> command = List.of("torchrun", "train.py");
    private List<Mount> mounts = List.of();
    private Duration grace = Duration.ofMinutes(2);

    private Attempts(TeamId team) {
        this.team = team;
    }

    static TeamId someTeam() {
        return new TeamId(UUID.randomUUID());
    }

    static Attempts of(TeamId team) {
        return new Attempts(team);
    }

    Attempts env(String name, String value) {
        env.put(name, value);
        return this;
    }

    Attempts command(String... words) {
        command = List.of(words);
        return this;
    }

    Attempts profile(PodProfile pool) {
        profile = pool;
        return this;
    }

    Attempts mounts(Mount... volumes) {
        mounts = List.of(volumes);
        return this;
    }

    Attempts grace(Duration duration) {
        grace = duration;
        return this;
    }

    /** A further replica; what it is to be must have been said before. */
    Attempts on(String node, int gpus) {
        return on(node, new Resources(gpus, 1000, 1L << 30));
    }

    Attempts on(String node, Resources amount) {
        replicas.add(new ReplicaSpec(
                new ReplicaId(attempt, "worker", replicas.size()),
                new NodeId(node),
                amount,
                64L << 20,
                "images.example/train:1.4",
                command,
                "/app",
                env,
                mounts));
        return this;
    }

    AttemptSpec spec() {
        return new AttemptSpec(
                attempt,
                team,
                new TeamPath("research/vision"),
                "llama-finetune",
                new PoolId("h100"),
                "nvidia.com/gpu",
                profile,
                replicas,
                new Checkpointing(CheckpointWay.FILE, grace, Duration.ofMinutes(30), "/vision/ckpt"),
                "/vision/ckpt/step-100",
                100L,
                "a-token",
                "http://muster.example");
    }
}
