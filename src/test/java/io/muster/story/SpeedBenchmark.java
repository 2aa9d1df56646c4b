package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.support.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How quick a whole server is: {@code ./mvnw test -Dtest=SpeedBenchmark -Dtest.jvm=}. It says what it measured and fails on what the product
 * promises, so run it on a machine that has nothing else to do. Results and how to read them: docs/performance.md.
 */
@Tag("benchmark")
class SpeedBenchmark {
    private static final int RATE = 100;
    private static final int SECONDS = 30;
    private static final int WARM_UP_SECONDS = 10;
    private static final int MANY_JOBS = 100_000;
    private static final int WAITING = 10_000;

    @TempDir
    Path folder;

    @Test
    void submissionsAtAHundredASecondAreAnsweredWithin50Milliseconds() throws Exception {
        try (var server = new ServerProcess("benchmark-submit", Database.fresh(), fleet("gpus-64", 1)).quick()) {
            var lab = Fleets.pool(new Lab(server.start())).team("a").quota("a", Fleets.POOL, 64);
            lab.as("a");
            submit(lab, RATE / 5, WARM_UP_SECONDS);
            submit(lab, RATE, WARM_UP_SECONDS);
            var millis = submit(lab, RATE, SECONDS);
            Benchmarks.report("submit, %d/s over %d s".formatted(RATE, SECONDS), millis);
            assertThat(PhillyReport.quantile(millis, 0.99)).as("p99 in ms").isLessThan(50);
        }
    }

    /** An open loop: a late answer does not delay the next request. Times count from when it was due. */
    private static List<Double> submit(Lab lab, int rate, int seconds) throws Exception {
        var client = lab.as("a");
        var document = document();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Double>>();
            long begin = System.nanoTime();
            for (int i = 0; i < rate * seconds; i++) {
                long due = begin + i * 1_000_000_000L / rate;
                LockSupport.parkNanos(due - System.nanoTime());
                Callable<Double> request = () -> {
                    client.send("POST", "/jobs", document, Map.of()).ok();
                    return (System.nanoTime() - due) / 1e6;
                };
                all.add(threads.submit(request));
            }
            var millis = new ArrayList<Double>();
            for (var each : all) {
                millis.add(each.get());
            }
            return millis.stream().sorted().toList();
        }
    }

    private static Map<String, Object> document() {
        var document = new HashMap<String, Object>();
        document.put("name", "benchmark");
        document.put("team", "a");
        document.put("image", "registry.example/train:1");
        document.put("command", List.of("train"));
        document.put("resources", Map.of("gpus", 1, "cpus", 4, "memory", "16Gi"));
        document.put("env", Map.of("VIRTUAL_DURATION", "2m", "VIRTUAL_REPORT", "1m"));
        return document;
    }

    @Test
    void theFirstPageOfAHundredThousandJobsIsThereWithin100Milliseconds() {
        try (var server = new ServerProcess("benchmark-list", Database.fresh(), fleet("gpus-64", 1)).quick()) {
            var lab = Fleets.pool(new Lab(server.start())).team("a").quota("a", Fleets.POOL, 64);
            var ended = lab.job("a").trains("1s").submit();
            lab.await("one has ended", () -> lab.state(ended).equals("SUCCEEDED"));
            var waiting = lab.job("a").gang(8, 8).submit(2).getLast();
            copies(server.database(), ended, MANY_JOBS - WAITING);
            copies(server.database(), waiting, WAITING);

            for (var query : List.of("", "&state=waiting", "&team=a", "&state=ended", "&q=story", "&order=oldest")) {
                var millis = new ArrayList<Double>();
                for (int i = 0; i < 60; i++) {
                    long began = System.nanoTime();
                    var page = lab.admin().get("/jobs?limit=50" + query);
                    millis.add((System.nanoTime() - began) / 1e6);
                    assertThat(page.at("/items").size()).isEqualTo(50);
                }
                var warm = millis.subList(20, millis.size()).stream().sorted().toList();
                Benchmarks.report("first page of %d jobs%s".formatted(MANY_JOBS, query), warm);
                assertThat(PhillyReport.quantile(warm, 0.9))
                        .as(query + " p90 in ms")
                        .isLessThan(100);
            }
        }
    }

    @Test
    void aCycleOverAThousandNodesWithTenThousandWaitingTakes250Milliseconds() throws IOException {
        var fleet = Files.writeString(folder.resolve("thousand.yaml"), Benchmarks.thousandNodes());
        var properties = new HashMap<>(fleet("gpus-64", 1));
        properties.put("muster.virtual.fleet", fleet.toString());
        try (var server = new ServerProcess("benchmark-cycle", Database.fresh(), properties).quick()) {
            var lab = Fleets.pool(new Lab(server.start()));
            var teams = IntStream.range(0, 10).mapToObj(i -> "t" + i).toList();
            teams.forEach(team -> lab.team(team).quota(team, Fleets.POOL, 800));
            lab.await(
                    "the fleet is known",
                    () -> lab.admin().get("/pools").get(0).at("/total").asInt() == 8_000);
            for (var team : teams) {
                var first = lab.job(team).gang(1, 8).trains("10h").submit();
                copies(server.database(), first, 99);
            }
            lab.await("the fleet is full", Duration.ofMinutes(5), () -> count(server, "RUNNING") == 1_000);
            long full = newestCycle(server);
            for (int i = 0; i < teams.size(); i++) {
                var first = lab.job(teams.get(i))
                        .gang(1 + i % 4, 1 + i % 8)
                        .trains("1h")
                        .submit();
                copies(server.database(), first, WAITING / teams.size() - 1);
            }
            lab.await("all are looked at", Duration.ofMinutes(2), () -> explained(server) == WAITING);
            // Only cycles that decide something are written down: for each job that goes, another starts.
            for (var running : lab.list("state=RUNNING").subList(0, 60)) {
                lab.admin().post("/jobs/" + running.at("/id").asLong() + "/cancel", Map.of());
                Lab.sleep();
                Lab.sleep();
            }
            var cycles = """
                    select (snapshot_micros + plan_micros + verify_micros + commit_micros) / 1000.0
                    from scheduling_cycle where id > ? and waiting > ? order by id desc limit 40""";
            var millis = new ArrayList<>(server.database()
                    .jdbc()
                    .sql(cycles)
                    .params(full, WAITING / 2)
                    .query(Double.class)
                    .list());
            millis.sort(null);
            Benchmarks.report("cycle, 1,000 nodes x 8, %d waiting".formatted(WAITING), millis);
            assertThat(PhillyReport.quantile(millis, 0.5)).as("median in ms").isLessThan(250);
        }
    }

    /** From the kill to the first cycle of the next epoch, whether by the same server started anew or by another. */
    @Test
    void theLoopIsBackSoonAfterAKill() {
        var properties = fleet("gpus-64", 1);
        try (var database = Database.fresh();
                var one = new ServerProcess("benchmark-kill-one", database, properties);
                var other = new ServerProcess("benchmark-kill-other", database, properties)) {
            one.start();
            var alone = new ArrayList<Double>();
            for (int i = 0; i < 3; i++) {
                alone.add(millisWithoutLeader(database, one, one::start));
            }
            Benchmarks.report(
                    "killed and started at once: the loop is back",
                    alone.stream().sorted().toList());
            other.start();
            var taken = millisWithoutLeader(database, one, () -> {});
            Benchmarks.report("killed beside another: the loop is taken over", List.of(taken));
        }
    }

    private static double millisWithoutLeader(Database database, ServerProcess leader, Runnable then) {
        var epoch = database.jdbc().sql("select epoch from scheduler_epoch").query(Long.class);
        long before = epoch.single();
        leader.kill();
        long began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var started = threads.submit(then);
            while (epoch.single() == before) {
                LockSupport.parkNanos(20_000_000);
            }
            double millis = (System.nanoTime() - began) / 1e6;
            started.get();
            return millis;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theBuiltJarIsBackWithin30SecondsAfterAKill() throws Exception {
        var jar = JarStart.built();
        assumeTrue(jar.isPresent(), "no jar in target: run ./mvnw package -DskipTests first");
        var data = folder.resolve("killed");
        JarStart.ofOneThatIsKilled(jar.get(), data);
        var again = JarStart.ofOneThatIsKilled(jar.get(), data);
        Benchmarks.report(
                "ready from the jar after kill -9, with the Postgres that was left", List.of(again.toMillis() / 1.0));
        JarStart.of(jar.get(), data);
        assertThat(again).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void theBuiltJarIsReadyWithin15SecondsOnAnExistingDataFolder() throws Exception {
        var jar = JarStart.built();
        assumeTrue(jar.isPresent(), "no jar in target: run ./mvnw package -DskipTests first");
        var data = folder.resolve("data");
        var first = JarStart.of(jar.get(), data);
        var again = JarStart.of(jar.get(), data);
        Benchmarks.report("ready from the jar, new data folder", List.of(first.toMillis() / 1.0));
        Benchmarks.report("ready from the jar, existing data folder", List.of(again.toMillis() / 1.0));
        assertThat(again).isLessThan(Duration.ofSeconds(15));
    }

    private static Map<String, Object> fleet(String name, int timeScale) {
        return Map.of(
                "muster.virtual.fleet",
                "scenarios/fleets/" + name + ".yaml",
                "muster.virtual.time-scale",
                timeScale,
                "spring.datasource.hikari.maximum-pool-size",
                24);
    }

    /** The same job again and again, as if each had been submitted. */
    private static void copies(Database database, long job, int times) {
        database.jdbc().sql("""
                        with copied as (
                            insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas,
                                labels, state, attempt, submitted_at, waiting_since, first_started_at, ended_at, pool)
                            select team_id, submitted_by, name || '-' || n, priority_class, preemptible, gpus, replicas,
                                labels, state, attempt, submitted_at, waiting_since, first_started_at, ended_at, pool
                            from job, generate_series(1, :times) as n where id = :job
                            returning id)
                        insert into job_document (job_id, revision, document, by, at)
                        select copied.id, 1, d.document, d.by, d.at from copied, job_document d where d.job_id = :job""").param("job", job).param("times", times).update();
        database.jdbc().sql("analyze job").update();
    }

    private static long count(ServerProcess server, String state) {
        return server.database()
                .jdbc()
                .sql("select count(*) from job where state = ?")
                .param(state)
                .query(Long.class)
                .single();
    }

    private static long explained(ServerProcess server) {
        return server.database()
                .jdbc()
                .sql("select count(*) from explanation")
                .query(Long.class)
                .single();
    }

    private static long newestCycle(ServerProcess server) {
        return server.database()
                .jdbc()
                .sql("select coalesce(max(id), 0) from scheduling_cycle")
                .query(Long.class)
                .single();
    }
}
