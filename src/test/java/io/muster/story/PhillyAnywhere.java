package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.support.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Replays the Philly trace against a server that is running already, at that server's pace:
 * {@code ./mvnw test -Dtest=PhillyAnywhere -Dphilly.url=http://localhost:8080 -Dphilly.password=...}. See
 * docs/performance.md.
 */
class PhillyAnywhere {
    private static final Path OUT = Path.of("target", "philly");
    private static final Duration AT_MOST = Duration.ofHours(12);

    @Test
    void theTraceEndsOnTheServerThatWasNamed() throws Exception {
        var url = System.getProperty("philly.url", "");
        assumeTrue(!url.isEmpty(), "name a server: -Dphilly.url=http://localhost:8080 -Dphilly.password=...");
        var user = System.getProperty("philly.user", RunningServer.ADMIN);
        var admin = StoryClient.signIn(url, user, System.getProperty("philly.password", ""));
        var jobs = PhillyReplay.trace(Integer.getInteger("philly.jobs", 1_000));
        var lab = new Lab(new Named(url, admin));
        jobs.stream()
                .map(job -> job.owner().team())
                .distinct()
                .sorted()
                .forEach(team -> ready(lab, PhillyReplay.team(team)));

        long began = System.nanoTime();
        var users = jobs.stream()
                .map(job -> job.owner().team())
                .distinct()
                .collect(Collectors.toMap(Function.identity(), team -> admin));
        var clock = new PhillyClock(() -> admin);
        System.out.printf("philly: the clock of %s runs at %s times real time%n", url, clock.scale());
        var replay =
                new PhillyReplay(jobs, users, clock, "philly-" + Instant.now().getEpochSecond());
        replay.submit(Instant.MIN, Instant.MAX);
        lab.await(
                "every job has ended",
                AT_MOST,
                () -> replay.acknowledged().values().stream()
                        .allMatch(id -> lab.state(id).equals("SUCCEEDED")));

        var report = replay.report(lab, gpus(lab), List.of(), Duration.ofNanos(System.nanoTime() - began));
        report.write(OUT);
        assertThat(report.jobs()).isEqualTo(jobs.size());
    }

    private static void ready(Lab lab, String team) {
        if (lab.admin().get("/teams?path=" + team).isEmpty()) {
            lab.team(team).volume(team, "work");
        }
    }

    private static int gpus(Lab lab) {
        return lab.admin()
                .get("/pools")
                .valueStream()
                .mapToInt(pool -> pool.at("/total").asInt())
                .sum();
    }

    private record Named(String url, StoryClient admin) implements RunningServer {
        @Override
        public Database database() {
            throw new UnsupportedOperationException("only the server itself may read the database of " + url);
        }

        @Override
        public Ledger ledger() {
            return Ledger.UNSEEN;
        }
    }
}
