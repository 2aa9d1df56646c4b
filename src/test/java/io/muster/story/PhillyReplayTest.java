package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.simulator.trace.RecordedJob;
import io.muster.support.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The first 1,000 jobs of the Philly trace through a server that is killed again and again. See docs/performance.md for
 * how to replay them against any other server.
 */
class PhillyReplayTest {
    private static final Path OUT = Path.of("target", "philly");
    private static final int JOBS = 1_000;
    private static final int GPUS = 160;
    private static final String POOL = "philly";
    private static final int RANDOM_KILLS = 3;

    private static final int SHORT_QUEUE = 30;
    private static final Duration MOST_AFTER_RUSH = Duration.ofSeconds(45);

    /** So long jobs are submitted to nobody. */
    private static final int AWAY_MILLIS = 1_000;

    /** The trace's hours, and how fast they are gone through: what is empty quickly, the rush of the last day slowly. */
    private record Stretch(Instant until, int scale) {}

    private static final Stretch RUSH = new Stretch(Instant.parse("2017-09-24T15:35:00Z"), 200);
    private static final List<Stretch> STRETCHES = List.of(
            new Stretch(Instant.parse("2017-09-20T20:00:00Z"), 100_000),
            new Stretch(Instant.parse("2017-09-24T13:30:00Z"), 12_000),
            RUSH,
            new Stretch(Instant.MAX, 3_000));

    @Test
    void aThousandRecordedJobsEndAlthoughTheServerIsKilledInBetween() throws Exception {
        long began = System.nanoTime();
        var jobs = PhillyReplay.trace(JOBS);
        try (var database = Database.fresh();
                var server = new ServerProcess("philly", database, properties()).start();
                var watch = new LedgerWatch(database)) {
            var lab = ready(new Lab(server), jobs);
            var replay = new PhillyReplay(jobs, users(lab, jobs), new PhillyClock(server::admin), "philly");
            var kills = new Killer(lab, server, database, replay).run();
            lab.await(
                    "every job has ended",
                    Duration.ofMinutes(10),
                    () -> lab.list("state=waiting&state=active").isEmpty());
            watch.held();
            check(lab, replay, database);
            new Ledger(database).awaitBalance();
            replay.report(lab, GPUS, kills, Duration.ofNanos(System.nanoTime() - began))
                    .write(OUT);
        }
    }

    private static Map<String, Object> properties() {
        return Map.of(
                "muster.virtual.fleet", "scenarios/fleets/philly.yaml",
                "muster.virtual.time-scale", STRETCHES.getFirst().scale(),
                "muster.virtual.poll", "100ms");
    }

    /** Teams with equal guarantees; deadlines long enough for a clock on which a moment is an hour. */
    private static Lab ready(Lab lab, List<RecordedJob> jobs) {
        Fleets.pool(lab, POOL, Map.of())
                .policy(Map.of(
                        "startDeadline", "7d",
                        "reservationExpiry", "7d",
                        "minRuntime", "10m",
                        "reclaimPercent", 100,
                        "preemptionsPerDay", 1_000));
        var teams =
                jobs.stream().map(job -> job.owner().team()).distinct().sorted().toList();
        for (var team : teams) {
            var name = PhillyReplay.team(team);
            lab.team(name).volume(name, "work").quota(name, POOL, GPUS / teams.size());
        }
        return lab;
    }

    private static Map<String, StoryClient> users(Lab lab, List<RecordedJob> jobs) {
        return jobs.stream()
                .map(job -> job.owner().team())
                .distinct()
                .collect(Collectors.toMap(team -> team, team -> lab.as(PhillyReplay.team(team))));
    }

    /** Goes through the trace and kills the server: between the stretches, and at random moments of the rush. */
    private record Killer(Lab lab, ServerProcess server, Database database, PhillyReplay replay, List<String> kills) {
        Killer(Lab lab, ServerProcess server, Database database, PhillyReplay replay) {
            this(lab, server, database, replay, new ArrayList<>());
        }

        List<String> run() throws Exception {
            long seed = Long.getLong("philly.seed", System.nanoTime());
            System.out.println("philly: the seed of the kills is " + seed + " (-Dphilly.seed)");
            var random = new Random(seed);
            var from = Instant.MIN;
            for (var stretch : STRETCHES) {
                if (!from.equals(Instant.MIN)) {
                    changePace(stretch.scale());
                }
                var start = from;
                var submitted = CompletableFuture.runAsync(() -> submit(start, stretch.until()));
                if (stretch.equals(RUSH)) {
                    killAtRandom(random);
                }
                submitted.get();
                if (!stretch.until().equals(Instant.MAX)) {
                    replay.awaitDomain(stretch.until());
                }
                if (stretch.equals(RUSH)) {
                    awaitShortQueue();
                }
                from = stretch.until();
            }
            return kills;
        }

        private void submit(Instant from, Instant to) {
            try {
                replay.submit(from, to);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private void killAtRandom(Random random) throws InterruptedException {
            for (int i = 0; i < RANDOM_KILLS; i++) {
                Thread.sleep(1_000 + random.nextInt(8_000));
                server.kill();
                Domain.stop(database);
                Thread.sleep(AWAY_MILLIS);
                start("at random");
            }
        }

        /** What is left of the rush is worked off at its own pace, if that does not take too long. */
        private void awaitShortQueue() throws InterruptedException {
            long end = System.nanoTime() + MOST_AFTER_RUSH.toNanos();
            while (lab.list("state=waiting").size() > SHORT_QUEUE && System.nanoTime() < end) {
                Thread.sleep(AWAY_MILLIS);
            }
        }

        private void changePace(int scale) {
            server.kill();
            Domain.stop(database);
            server.with("muster.virtual.time-scale", scale);
            start("at a change of pace to " + scale);
        }

        /** The clock stands still until the server reads it: at these paces a moment's absence would be a day's. */
        private void start(String when) {
            replay.clockStands();
            long began = System.nanoTime();
            server.start();
            replay.clockRuns();
            long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
            kills.add("killed " + when + ", ready " + millis + " ms after the new start");
            System.out.println("philly: " + kills.getLast());
        }
    }

    /** Nothing that was acknowledged is lost, nothing exists twice. */
    private static void check(Lab lab, PhillyReplay replay, Database database) {
        var acknowledged = replay.acknowledged();
        assertThat(acknowledged).hasSize(JOBS);
        assertThat(new HashSet<>(acknowledged.values()))
                .as("one job per line of the trace")
                .hasSize(JOBS);
        var stored = database.jdbc().sql("select id from job").query(Long.class).set();
        assertThat(stored).as("no job but those").isEqualTo(new HashSet<>(acknowledged.values()));
        assertThat(lab.list("state=SUCCEEDED")).as("all have succeeded").hasSize(JOBS);
        for (int index = 0; index < JOBS; index += 97) {
            assertThat(replay.submitOnce(index))
                    .as("a repeat of a request is answered with the job that it made")
                    .isEqualTo(acknowledged.get(index));
        }
        assertThat(database.jdbc().sql("""
                                select a.job_id || '/' || a.number || ' ' || coalesce(a.failure, '')
                                from attempt a join job j on j.id = a.job_id
                                where a.number < j.attempt and a.failure is distinct from 'PREEMPTED'""").query(String.class).list())
                .as("attempts that were started anew without a preemption")
                .isEmpty();
        assertThat(database.jdbc().sql("""
                                select j.id from job j join replica r on r.job_id = j.id and r.rank_order = 0
                                join job_document d on d.job_id = j.id and d.revision = 1
                                group by j.id, d.document having sum(extract(epoch from r.released_at - r.started_at)) + 1
                                    < max(replace(d.document #>> '{groups,0,env,VIRTUAL_DURATION}', 's', '')::numeric)""").query(Long.class).list())
                .as("jobs that ended before their work was done")
                .isEmpty();
    }
}
