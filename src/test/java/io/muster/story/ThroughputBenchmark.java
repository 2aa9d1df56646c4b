package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * How many one-GPU jobs a whole server carries from REST to their end: server, Postgres, virtual cluster and client on one
 * machine. {@code ./mvnw test -Dtest=ThroughputBenchmark -Dtest.jvm= -Dthroughput.rate=500 -Dthroughput.seconds=60}.
 */
@Tag("benchmark")
class ThroughputBenchmark {
    private static final int RATE = Integer.getInteger("throughput.rate", 500);
    private static final int SECONDS = Integer.getInteger("throughput.seconds", 60);
    private static final int WARM_SECONDS = Integer.getInteger("throughput.warm", 60);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int TEAMS = 10;
    private static final Duration LOOK = Duration.ofMillis(500);
    /** By which the last of the jobs may have to wait for the pods of others to be cleaned away. */
    private static final Duration DRAIN = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void oneGpuJobsFromSubmissionToTheirEnd() throws Exception {
        var properties = new HashMap<String, Object>(Map.of(
                "muster.virtual.fleet",
                Files.writeString(folder.resolve("fleet.yaml"), Benchmarks.thousandNodes()),
                "muster.virtual.time-scale",
                1,
                "spring.datasource.hikari.maximum-pool-size",
                24));
        try (var server = new ServerProcess("benchmark-throughput", Database.fresh(), properties).quick()) {
            var lab = Fleets.pool(new Lab(server.start()));
            var teams = IntStream.range(0, TEAMS).mapToObj(i -> "t" + i).toList();
            teams.forEach(team -> lab.team(team).quota(team, Fleets.POOL, 8_000 / TEAMS));
            lab.await(
                    "the fleet is known",
                    () -> lab.admin().get("/pools").get(0).at("/total").asInt() == 8_000);
            var requests = teams.stream().map(team -> request(lab, team)).toList();
            var client = new BareClient(server.url());
            // Until the compiler has seen it all, a good part of the server's time is the compiler's.
            int cold = submit(client, requests, RATE / 5, 10) + submit(client, requests, RATE / 2, WARM_SECONDS);
            awaitEnded(server, RATE / 5 * 10L + RATE / 2 * (long) WARM_SECONDS - cold);
            client.close();

            // As autovacuum has done on any database that is older than some minutes.
            server.database().jdbc().sql("analyze").update();
            long warm = ended(server);
            long cycle = newestCycle(server);
            var spent = new Spent(server);
            long began = System.nanoTime();
            var refused = submit(client, requests, RATE, SECONDS);
            double submitting = seconds(began);
            long endedMeanwhile = ended(server) - warm;
            awaitEnded(server, warm + (long) RATE * SECONDS - refused);
            double all = seconds(began);
            long jobs = ended(server) - warm;

            System.out.printf(
                    Locale.ROOT,
                    "benchmark: %d jobs at %d/s: submitted in %.1f s (%d refused), %d had ended by then, all ended after %.1f s: %.0f jobs/s%n",
                    jobs,
                    RATE,
                    submitting,
                    refused,
                    endedMeanwhile,
                    all,
                    jobs / all);
            spent.report(jobs);
            lab.ledgerHolds();
            System.out.println("benchmark: ended in each 5 s: " + endings(server, jobs));
            Benchmarks.report("from submission to the end", ages(server, jobs));
            Benchmarks.report("cycle", cycles(server, cycle));
            stages(server, cycle);
            steps(server, jobs);
            assertThat(jobs).isEqualTo((long) RATE * SECONDS - refused);
        }
    }

    /** An open loop; the number of submissions that were refused for overload. */
    private static int submit(BareClient client, List<byte[]> requests, int rate, int seconds) throws Exception {
        var refused = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            long begin = System.nanoTime();
            for (int i = 0; i < rate * seconds; i++) {
                var request = requests.get(i % requests.size());
                LockSupport.parkNanos(begin + i * 1_000_000_000L / rate - System.nanoTime());
                all.add(threads.submit(() -> {
                    int status = client.send(request);
                    if (status == 503) {
                        refused.incrementAndGet();
                    } else {
                        assertThat(status).isEqualTo(201);
                    }
                    return status;
                }));
            }
            for (var each : all) {
                each.get();
            }
        }
        return refused.get();
    }

    private static byte[] request(Lab lab, String team) {
        return BareClient.request("/api/v1/jobs", lab.as(team).token(), JSON.writeValueAsString(document(team)));
    }

    private static Map<String, Object> document(String team) {
        return Map.of(
                "name",
                "benchmark",
                "team",
                team,
                "image",
                "registry.example/train:1",
                "command",
                List.of("train"),
                "resources",
                Map.of("gpus", 1, "cpus", 4, "memory", "16Gi"),
                "env",
                Map.of("VIRTUAL_DURATION", "5s", "VIRTUAL_REPORT", "1m", "VIRTUAL_PULL", "1s", "VIRTUAL_START", "1s"));
    }

    /** Without checking the ledger at each look, as {@link Lab#await} does: that reads every table whole. */
    private static void awaitEnded(ServerProcess server, long jobs) {
        long end = System.nanoTime() + DRAIN.toNanos();
        while (ended(server) < jobs) {
            if (System.nanoTime() > end) {
                throw new AssertionError("only " + ended(server) + " of " + jobs + " have ended after " + DRAIN);
            }
            // It is no small query any more, and the server has better to do.
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private static long ended(ServerProcess server) {
        return number(server, "select count(*) from job where state = 'SUCCEEDED'");
    }

    private static long newestCycle(ServerProcess server) {
        return number(server, "select coalesce(max(id), 0) from scheduling_cycle");
    }

    private static long number(ServerProcess server, String sql) {
        return server.database().jdbc().sql(sql).query(Long.class).single();
    }

    private static List<Double> ages(ServerProcess server, long jobs) {
        return server.database()
                .jdbc()
                .sql("select 1000 * extract(epoch from ended_at - submitted_at) as age from (select * from job"
                        + " order by id desc limit ?) j order by age")
                .param(jobs)
                .query(Double.class)
                .list();
    }

    /** How many jobs ended in each 5 s from the first submission on; the first 7 s none can, as that long they run. */
    private static List<Long> endings(ServerProcess server, long jobs) {
        return server.database().jdbc().sql("""
                        select count(*) from (
                            select floor(extract(epoch from ended_at - min(submitted_at) over ()) / 5) as five
                            from (select * from job order by id desc limit ?) j) e
                        group by five order by five
                        """).param(jobs).query(Long.class).list();
    }

    private static void stages(ServerProcess server, long after) {
        server.database().jdbc().sql("""
                        select avg(snapshot_micros) / 1000, avg(plan_micros) / 1000, avg(verify_micros) / 1000,
                            avg(commit_micros) / 1000, avg(started) from scheduling_cycle where id > ?
                        """).param(after).query(row -> {
            System.out.printf(
                    Locale.ROOT,
                    "benchmark: of a cycle, on average: look %.0f ms, plan %.0f ms, verify %.0f ms, commit %.0f ms; %.0f starts%n",
                    row.getDouble(1),
                    row.getDouble(2),
                    row.getDouble(3),
                    row.getDouble(4),
                    row.getDouble(5));
        });
    }

    /** How long jobs were in each state. */
    private static void steps(ServerProcess server, long jobs) {
        server.database().jdbc().sql("""
                        select from_state, percentile_cont(0.5) within group (order by took) as half,
                            percentile_cont(0.9) within group (order by took) as most
                        from (select from_state, 1000 * extract(epoch from at - lag(at) over (partition by job_id order by id))
                                  as took
                              from job_event where kind = 'state-changed'
                                  and job_id in (select id from job order by id desc limit ?)) e
                        where took is not null group by from_state order by half
                        """).param(jobs).query(row -> {
            System.out.printf(
                    Locale.ROOT,
                    "benchmark: %s for %.0f ms, p90 %.0f ms%n",
                    row.getString("from_state"),
                    row.getDouble("half"),
                    row.getDouble("most"));
        });
    }

    private static List<Double> cycles(ServerProcess server, long after) {
        return server.database()
                .jdbc()
                .sql("select (snapshot_micros + plan_micros + verify_micros + commit_micros) / 1000.0 as millis"
                        + " from scheduling_cycle where id > ? order by millis")
                .param(after)
                .query(Double.class)
                .list();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
