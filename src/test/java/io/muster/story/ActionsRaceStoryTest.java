package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** People cancel, hold, release, change and extend jobs while the loop starts, stops and preempts them. */
class ActionsRaceStoryTest {
    private static final int JOBS = 60;
    private static final int ENOUGH = 100;
    private static final int HANDS = 4;
    private static final Duration RACE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Test
    void whateverPeopleDoTheLedgerHoldsAndEverythingEnds() throws InterruptedException {
        try (var server = StoryServer.onVirtual("gpus-32", 60);
                var watch = new LedgerWatch(server.database())) {
            var lab = Fleets.pool(new Lab(server));
            for (String team : List.of("a", "b")) {
                lab.team(team).quota(team, Fleets.POOL, 16).volume(team, "work");
            }
            var jobs = submit(lab);
            var wrong = new ConcurrentLinkedQueue<String>();
            var done = new AtomicInteger();
            race(lab, jobs, wrong, done);

            assertThat(wrong).isEmpty();
            assertThat(done).as("acts that were made").hasValueGreaterThan(ENOUGH);
            lab.list("state=HELD")
                    .forEach(job -> lab.admin().post("/jobs/" + job.at("/id").asLong() + "/release", null));
            lab.await("everything ends", PATIENCE, () -> {
                lab.list("state=HELD")
                        .forEach(job -> lab.admin()
                                .send("POST", "/jobs/" + job.at("/id").asLong() + "/release", null, Map.of()));
                return lab.list("state=waiting&state=active").isEmpty();
            });
            watch.held();
            new Ledger(server.database()).awaitBalance();
            assertThat(lab.admin().metric("muster_cycle_failures_total")).isIn("none", "0.0");
        }
    }

    private static List<Long> submit(Lab lab) {
        var jobs = new ArrayList<Long>();
        for (int i = 0; i < JOBS; i++) {
            jobs.add(lab.job(i % 2 == 0 ? "a" : "b")
                    .gang(1 + i % 3, 1 + i % 4)
                    .trains(2 + i % 5 + "m")
                    .checkpoints(i % 2 == 0 ? "sigterm" : "api", "1m")
                    .submit());
        }
        return jobs;
    }

    private static void race(Lab lab, List<Long> jobs, ConcurrentLinkedQueue<String> wrong, AtomicInteger done)
            throws InterruptedException {
        var stop = new AtomicBoolean();
        var threads = new ArrayList<Thread>();
        for (int hand = 0; hand < HANDS; hand++) {
            var random = new Random(hand);
            threads.add(Thread.ofVirtual().start(() -> {
                while (!stop.get()) {
                    act(lab, jobs.get(random.nextInt(JOBS)), random, wrong, done);
                }
            }));
        }
        Thread quotas = Thread.ofVirtual().start(() -> changeQuotas(lab, stop, wrong));
        Thread.sleep(RACE);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (done.get() <= ENOUGH && System.nanoTime() < end) {
            Lab.sleep();
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        quotas.join();
    }

    private static void act(Lab lab, long job, Random random, ConcurrentLinkedQueue<String> wrong, AtomicInteger done) {
        String path = "/jobs/" + job;
        var answer = switch (random.nextInt(20)) {
            case 0 -> lab.admin().send("POST", path + "/cancel", null, Map.of());
            case 1, 2, 3, 4 -> lab.admin().send("POST", path + "/hold", Map.of("why", "a race"), Map.of());
            case 5, 6, 7, 8, 9 -> lab.admin().send("POST", path + "/release", null, Map.of());
            case 10, 11 -> lab.admin().send("POST", path + "/checkpoint", null, Map.of());
            case 12, 13, 14 ->
                lab.admin()
                        .send(
                                "POST",
                                path + "/priority",
                                Map.of("priority", random.nextBoolean() ? "high" : "low"),
                                Map.of());
            case 15, 16 ->
                lab.admin()
                        .send(
                                "PATCH",
                                path,
                                Map.of("replicas", 1 + random.nextInt(3)),
                                Map.of("Content-Type", "application/merge-patch+json"));
            case 17 -> lab.admin().send("POST", path + "/extend", Map.of("by", "10m"), Map.of());
            default -> lab.admin().send("GET", path + "/explanation", null, Map.of());
        };
        if (answer.status() >= 500) {
            wrong.add(answer.raw().request().method() + " " + answer.raw().uri() + ": " + answer.status() + " "
                    + answer.raw().body());
        } else if (answer.status() < 300) {
            done.incrementAndGet();
        }
    }

    /** Guarantees are cut, taken away and given back while their jobs run. */
    private static void changeQuotas(Lab lab, AtomicBoolean stop, ConcurrentLinkedQueue<String> wrong) {
        String path = "/teams/" + lab.teamId("b") + "/quotas/" + Fleets.POOL;
        int round = 0;
        while (!stop.get()) {
            round++;
            String version = lab.admin()
                    .get("/teams/" + lab.teamId("b"))
                    .at("/quotas/0/version")
                    .asString("0");
            var headers = Map.of("If-Match", '"' + version + '"');
            var answer = round % 3 == 0
                    ? lab.admin().send("DELETE", path, null, headers)
                    : lab.admin()
                            .send("PUT", path, Map.of("guaranteed", round % 3 == 1 ? 4 : 16, "weight", 1), headers);
            if (!Set.of(200, 204).contains(answer.status())) {
                wrong.add("quota: " + answer.status() + " " + answer.raw().body());
            }
            Lab.sleep();
        }
    }
}
