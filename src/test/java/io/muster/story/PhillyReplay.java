package io.muster.story;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.simulator.trace.RecordedJob;
import io.muster.simulator.trace.TraceFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Submits recorded jobs through REST at their times on the server's clock, each with an idempotency key, again and again
 * until it is acknowledged: the server may be away at any moment.
 */
final class PhillyReplay {
    private static final Path TRACE = Path.of("../shared/traces/philly/philly.csv");
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int GPUS_PER_NODE = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int RETRY_MILLIS = 500;

    private final List<RecordedJob> jobs;
    private final Map<String, StoryClient> users;
    private final PhillyClock clock;
    private final String run;
    private final Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger repeats = new AtomicInteger();
    private final Duration offset;

    /**
     * @param users who submits, by the trace's name of the team
     * @param run part of every idempotency key: a run repeats itself, not another one
     */
    PhillyReplay(List<RecordedJob> jobs, Map<String, StoryClient> users, PhillyClock clock, String run) {
        this.jobs = List.copyOf(jobs);
        this.users = Map.copyOf(users);
        this.clock = clock;
        this.run = run;
        this.offset = Duration.between(jobs.getFirst().submittedAt(), clock.now());
    }

    /** The first jobs of the trace by submit time, run times capped at a day; skips the test where the trace is not. */
    static List<RecordedJob> trace(int most) throws IOException {
        assumeTrue(Files.exists(TRACE), "the Philly trace is not here: expected " + TRACE.toAbsolutePath());
        return TraceFormat.PHILLY
                .read(Files.readAllLines(TRACE))
                .first(most)
                .cutAt(LONGEST)
                .jobs();
    }

    static String team(String virtualCluster) {
        return "vc-" + virtualCluster;
    }

    /** Submits all jobs of {@code [from, to)}; returns when all are acknowledged. */
    void submit(Instant from, Instant to) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < jobs.size(); i++) {
                int index = i;
                var at = jobs.get(i).submittedAt();
                if (!at.isBefore(from) && at.isBefore(to)) {
                    awaitDomain(at);
                    all.add(threads.submit(() -> submitUntilAcknowledged(index)));
                }
            }
            for (var each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** Waits until the server's clock shows the trace's {@code instant}. */
    void awaitDomain(Instant instant) throws InterruptedException {
        while (true) {
            var rest = clock.until(instant.plus(offset));
            if (rest.isZero()) {
                return;
            }
            Thread.sleep(rest);
        }
    }

    /** No server runs: until the next one does, nothing new is submitted. */
    void clockStands() {
        clock.stand();
    }

    /** A server runs again; its clock may have another pace. */
    void clockRuns() {
        clock.look();
    }

    /** Ids by the job's place in the trace. */
    Map<Integer, Long> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** Requests that had to be sent again. */
    int repeats() {
        return repeats.get();
    }

    /** What came of it, read through REST. */
    PhillyReport report(Lab lab, int gpus, List<String> kills, Duration real) {
        var ended = acknowledged.values().stream()
                .map(id -> PhillyReport.read(lab.job(id).at("/job"), lab.attempts(id)))
                .toList();
        var report = PhillyReport.of(ended, gpus, repeats(), kills, real);
        System.out.println(report.markdown());
        return report;
    }

    private void submitUntilAcknowledged(int index) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var id = submitOnce(index);
            if (id != null) {
                acknowledged.put(index, id);
                return;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("job " + index + " was not acknowledged within " + PATIENCE);
            }
            repeats.incrementAndGet();
            pause();
        }
    }

    /** The id, or null when nobody can know whether it was stored. */
    @Nullable Long submitOnce(int index) {
        var job = jobs.get(index);
        try {
            var answer = users.get(job.owner().team())
                    .send("POST", "/jobs", document(index, job), Map.of("Idempotency-Key", run + "-" + index));
            return answer.status() >= 500 || answer.status() == 429
                    ? null
                    : Long.valueOf(answer.ok().at("/job/id").asLong());
        } catch (UncheckedIOException away) {
            return null;
        }
    }

    private static Map<String, Object> document(int index, RecordedJob job) {
        int replicas = Math.max(1, job.gpus() / GPUS_PER_NODE);
        int each = job.gpus() / replicas;
        var document = new HashMap<String, Object>();
        document.put("name", "philly-" + index);
        document.put("team", team(job.owner().team()));
        document.put("image", "registry.example/philly:1");
        document.put("command", List.of("train"));
        document.put("replicas", replicas);
        document.put("resources", Map.of("gpus", each, "cpus", 4 * each, "memory", 32 * each + "Gi"));
        document.put("data", List.of(Map.of("volume", "work", "at", "/work")));
        document.put(
                "checkpoint", Map.of("by", "sigterm", "grace", "2m", "every", "2h", "path", "/work/philly-" + index));
        long seconds = Math.max(1, job.runTime().toSeconds());
        document.put(
                "env",
                Map.of(
                        "VIRTUAL_DURATION", seconds + "s",
                        "VIRTUAL_STEPS", Long.toString(seconds),
                        "VIRTUAL_REPORT", Math.max(1, seconds / 4) + "s"));
        return document;
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
