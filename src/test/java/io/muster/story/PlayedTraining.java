package io.muster.story;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.muster.job.PlainDuration;
import io.muster.kubernetes.support.RealCluster;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What runs inside pods that KWOK plays, as far as anybody outside can tell: trains for {@code VIRTUAL_DURATION}, saves
 * now and then, answers requests to save, exits. It knows no more than a program does: its environment, its token and
 * Muster's REST interface. A step is a millisecond of training.
 */
final class PlayedTraining implements AutoCloseable {
    private static final int LOOK_MILLIS = 150;

    private final RealCluster cluster;
    private final String api;
    private final String installation;
    private final Map<String, Run> runs = new HashMap<>();
    private final Thread thread;

    PlayedTraining(RealCluster cluster, String api, String installation) {
        this.cluster = cluster;
        this.api = api;
        this.installation = installation;
        this.thread = Thread.ofPlatform().name("played-training").daemon().start(this::play);
    }

    private void play() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                look();
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                System.err.println("played training: " + e);
            }
        }
    }

    private void look() {
        var pods = cluster
                .admin()
                .pods()
                .inAnyNamespace()
                .withLabel("muster.io/installation", installation)
                .list()
                .getItems()
                .stream()
                .collect(Collectors.groupingBy(pod -> environment(pod).get("MUSTER_JOB") + "/"
                        + environment(pod).get("MUSTER_ATTEMPT")));
        pods.forEach(this::attempt);
        runs.keySet().retainAll(new HashSet<>(pods.keySet()));
    }

    private void attempt(String attempt, List<Pod> pods) {
        var env = environment(pods.getFirst());
        var run = runs.get(attempt);
        if (pods.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null)) {
            if (run != null) {
                run.save(null); // SIGTERM: nobody will ask again
            }
        } else if (run == null) {
            boolean all = pods.size() == Integer.parseInt(env.get("NNODES"))
                    && pods.stream()
                            .allMatch(pod -> "Running".equals(pod.getStatus().getPhase()));
            if (all) {
                runs.put(attempt, new Run(env, token(pods.getFirst()), api));
            }
        } else if (run.isDone()) {
            pods.stream()
                    .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                    .forEach(pod -> cluster.pods()
                            .exit(
                                    pod.getMetadata().getNamespace(),
                                    pod.getMetadata().getName(),
                                    0,
                                    "Completed"));
        } else {
            run.goOn();
        }
    }

    private static Map<String, String> environment(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    /** As the mounted file shows it. */
    private String token(Pod pod) {
        var attempt = environment(pod);
        var name = "j" + attempt.get("MUSTER_JOB") + "-a" + attempt.get("MUSTER_ATTEMPT");
        var secret = cluster.admin()
                .secrets()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(name)
                .require();
        return new String(Base64.getDecoder().decode(secret.getData().get("token")), StandardCharsets.UTF_8);
    }

    /** One attempt's training. */
    private static final class Run {
        private final StoryClient muster;
        private final String path;
        private final @Nullable String folder;
        private final long resumed;
        private final long duration;
        private final long every;
        private final long began = System.nanoTime();
        private long savedAt;

        Run(Map<String, String> env, String token, String api) {
            muster = StoryClient.withToken(api, token);
            path = "/jobs/" + env.get("MUSTER_JOB") + "/attempts/" + env.get("MUSTER_ATTEMPT");
            folder = env.get("MUSTER_CHECKPOINT_DIR");
            resumed = Long.parseLong(env.getOrDefault("MUSTER_RESUME_STEP", "0"));
            duration = millis(env.get("VIRTUAL_DURATION"));
            every = folder == null ? Long.MAX_VALUE : millis(env.getOrDefault("PLAYED_EVERY", "1d"));
            savedAt = resumed;
        }

        private static long millis(String text) {
            return PlainDuration.parse(text).orElse(Duration.ofHours(1)).toMillis();
        }

        private long step() {
            return Math.min(duration, resumed + (System.nanoTime() - began) / 1_000_000);
        }

        boolean isDone() {
            return step() >= duration;
        }

        void goOn() {
            if (folder == null) {
                return;
            }
            var signal = muster.send("GET", path + "/signals?wait=0s", null, Map.of());
            if (signal.status() == 200) {
                save(signal.body().at("/id").asString());
            } else if (step() - savedAt >= every) {
                save(null);
            }
        }

        /** The attempt may be over meanwhile; then there is nobody to tell. */
        void save(@Nullable String signal) {
            if (folder == null) {
                return;
            }
            savedAt = step();
            var body = new HashMap<String, Object>();
            body.put("step", savedAt);
            body.put("path", folder + "/step-" + savedAt);
            if (signal != null) {
                body.put("signal", signal);
            }
            try {
                muster.send("POST", path + "/checkpoints", body, Map.of());
            } catch (UncheckedIOException serverIsStopping) {
                // A program goes on training when nobody hears it.
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
