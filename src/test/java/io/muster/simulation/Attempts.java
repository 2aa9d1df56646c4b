package io.muster.simulation;

import io.muster.gateway.ClusterFact;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds attempts and reads what they tell; a plain one is on its node at once and runs after 200 ms. */
final class Attempts {
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    /** When a plain attempt's replicas run and its training begins. */
    static final Duration TRAINS = Duration.ofMillis(200);

    private final TreeMap<String, String> env = new TreeMap<>();
    private final List<VirtualPod> pods = new ArrayList<>();
    private final List<VirtualAttempt.Signal> signals = new ArrayList<>();
    private int number = 1;
    private long job = 7;
    private @Nullable String path;
    private @Nullable Duration every;
    private long resumeStep;
    private VirtualAttempt.@Nullable Deletion deletion;
    private String image = "images.example/train:1.4";

    /** Trains 1,000 steps in 1,000 seconds, saves in 5 and starts at once. */
    static Attempts attempt() {
        return new Attempts()
                .env("DURATION", "1000s")
                .env("STEPS", "1000")
                .env("SAVE", "5s")
                .env("START", "0s")
                .env("REPORT", "10s");
    }

    Attempts env(String name, String value) {
        env.put("VIRTUAL_" + name, value);
        return this;
    }

    Attempts job(long job) {
        this.job = job;
        return this;
    }

    Attempts number(int number) {
        this.number = number;
        return this;
    }

    Attempts image(String image) {
        this.image = image;
        return this;
    }

    Attempts replicas(int replicas) {
        while (pods.size() < replicas) {
            replica(Duration.ZERO);
        }
        return this;
    }

    Attempts replica(Duration pull) {
        return replica(pull, null, null);
    }

    Attempts replica(Duration pull, VirtualPod.@Nullable Loss loss, VirtualPod.@Nullable Order order) {
        int index = pods.size();
        pods.add(new VirtualPod(id(index), new NodeId("n" + index), 8, image, pull, loss, order));
        return this;
    }

    Attempts checkpoints(@Nullable Duration every) {
        this.path = "/vision/ckpt";
        this.every = every;
        return this;
    }

    Attempts resumesFrom(long step) {
        this.resumeStep = step;
        return this;
    }

    Attempts asked(UUID id, Duration after, boolean thenStop) {
        signals.add(new VirtualAttempt.Signal(id, at(after), thenStop));
        return this;
    }

    Attempts deleted(Duration after, Duration grace) {
        this.deletion = new VirtualAttempt.Deletion(at(after), grace);
        return this;
    }

    VirtualAttempt build() {
        replicas(1);
        return new VirtualAttempt(
                new AttemptId(new JobId(job), number),
                42,
                env,
                path,
                every,
                resumeStep,
                START,
                pods,
                signals,
                deletion);
    }

    AttemptFacts facts() {
        return AttemptFacts.of(build());
    }

    /** All that it ever tells. */
    List<ClusterFact> story() {
        return facts().between(Instant.EPOCH, Instant.parse("2030-01-01T00:00:00Z"));
    }

    private ReplicaId id(int index) {
        return new ReplicaId(new AttemptId(new JobId(job), number), "worker", index);
    }

    static Instant at(Duration after) {
        return START.plus(after);
    }

    static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    /** An instant by how far the training of a plain attempt is. */
    static Instant trained(long seconds) {
        return START.plus(TRAINS).plusSeconds(seconds);
    }
}
