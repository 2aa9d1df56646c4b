package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.gateway.ReplicaPhase;
import io.muster.inventory.FleetAdmin;
import io.muster.job.JobDocumentCodec;
import io.muster.job.LedgerReader;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.support.Ground;
import io.muster.support.HandClock;
import io.muster.support.LoopTest;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How long a whole cycle takes over 1,000 nodes of 8 GPUs with 10,000 jobs waiting: the real core on a real database.
 * Run it with {@code ./mvnw test -Dtest=LoopBenchmark -Dtest.jvm= -Dloop.waiting=100000}; it is no part of {@code verify}, where others use the machine.
 */
@LoopTest
class LoopBenchmark {
    private static final int NODES = Integer.getInteger("loop.nodes", 1_000);
    private static final int WAITING = Integer.getInteger("loop.waiting", 10_000);
    private static final int TEAMS = 20;
    private static final int QUIET = 30;
    private static final int BUSY = 100;

    @Autowired
    Ground ground;

    @Autowired
    ClusterObserver observer;

    @Autowired
    FleetAdmin fleet;

    @Autowired
    Cycle cycle;

    @Autowired
    LedgerReader reader;

    @Autowired
    HandClock clock;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    @Test
    void aCycleOverAThousandNodesWithTenThousandWaiting() {
        ground.pool();
        var facts = new ArrayList<ClusterFact>();
        for (int i = 0; i < NODES; i++) {
            facts.add(node("n" + i, "r" + i / 16));
        }
        observer.observe(facts);
        UserId user = ground.user("ada");
        for (int t = 0; t < TEAMS; t++) {
            jobs(ground.team("team-" + t, NODES * 8 / TEAMS / 2), user, "team-" + t, t);
        }
        for (int i = 0; i < 20; i++) {
            clock.pass(Duration.ofSeconds(1));
            assertThat(cycle.run()).isNotEqualTo(Cycle.Outcome.FAILED);
        }
        jdbc.sql("""
                        select waiting, running, started, snapshot_micros / 1000 as s, plan_micros / 1000 as p,
                            verify_micros / 1000 as v, commit_micros / 1000 as c from scheduling_cycle order by id
                        """).query(row -> {
            System.out.printf(
                    "waiting %d running %d started %d: look %d ms, plan %d ms, verify %d ms, commit %d ms%n",
                    row.getInt(1),
                    row.getInt(2),
                    row.getInt(3),
                    row.getInt(4),
                    row.getInt(5),
                    row.getInt(6),
                    row.getInt(7));
        });
        var cpu = ManagementFactory.getThreadMXBean();
        meters.clear();
        long before = System.nanoTime();
        long cpuBefore = cpu.getCurrentThreadCpuTime();
        for (int i = 0; i < QUIET; i++) {
            clock.pass(Duration.ofSeconds(1));
            assertThat(cycle.run()).isEqualTo(Cycle.Outcome.QUIET);
        }
        System.out.printf(
                "a quiet cycle: %d ms, of which %d ms of processor%n",
                (System.nanoTime() - before) / 1_000_000 / QUIET,
                (cpu.getCurrentThreadCpuTime() - cpuBefore) / 1_000_000 / QUIET);
        stages();
        busy();
    }

    private void stages() {
        meters.find("muster.cycle.stage")
                .timers()
                .forEach(t -> System.out.printf(
                        "stage %s: %.0f ms%n", t.getId().getTag("stage"), t.mean(TimeUnit.MILLISECONDS)));
    }

    /** For each job that ends another starts, and everybody's place in the queue moves up. */
    private void busy() {
        meters.clear();
        int decided = 0;
        var millis = new ArrayList<Double>();
        var running = jdbc.sql("select id from job where state = 'STARTING' order by id desc limit :n")
                .param("n", BUSY)
                .query(Long.class)
                .list();
        for (long id : running) {
            clock.pass(Duration.ofSeconds(1));
            var attempt = new AttemptId(new JobId(id), 1);
            for (var phase : List.of(ReplicaPhase.RUNNING, ReplicaPhase.SUCCEEDED)) {
                observer.observe(reader.replicas(attempt).stream()
                        .map(r -> (ClusterFact) new ClusterFact.ReplicaSeen(
                                r.id(), phase, r.node(), null, null, null, null, clock.instant()))
                        .toList());
            }
            long before = System.nanoTime();
            decided += cycle.run() == Cycle.Outcome.DECIDED ? 1 : 0;
            millis.add((System.nanoTime() - before) / 1e6);
        }
        System.out.println(decided + " cycles decided; busy cycles, ms: "
                + millis.stream().map(ms -> String.format("%.0f", ms)).toList());
        millis.sort(null);
        System.out.printf(
                "a busy cycle: median %.0f ms, p90 %.0f ms, p99 %.0f ms%n",
                millis.get(BUSY / 2), millis.get(BUSY * 9 / 10), millis.get(BUSY * 99 / 100));
        stages();
    }

    private static ClusterFact node(String name, String rack) {
        return new ClusterFact.NodeSeen(
                new NodeId(name),
                Map.of(
                        "muster.test/pool",
                        "train",
                        "muster.test/rack",
                        rack,
                        "kubernetes.io/hostname",
                        name,
                        "nvidia.com/gpu.product",
                        "NVIDIA-H100-80GB-HBM3"),
                List.of(),
                Map.of("nvidia.com/gpu", 8L, "cpu", 128_000L, "memory", 1L << 40),
                true,
                false,
                List.of(),
                Instant.parse("2026-03-02T08:00:00Z"));
    }

    /** Jobs of one to sixteen replicas, so that there are shapes of many kinds. */
    private void jobs(TeamId team, UserId user, String name, int salt) {
        int each = WAITING / TEAMS;
        for (int shape = 0; shape < 10; shape++) {
            int replicas = List.of(1, 1, 1, 1, 2, 2, 4, 4, 8, 16).get(shape);
            int gpus = List.of(1, 2, 4, 8, 8, 4, 8, 4, 8, 8).get(shape);
            jdbc.sql("""
                            with j as (
                                insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas,
                                    state, submitted_at, waiting_since)
                                select :team, :user, 'job', 'normal', true, :gpus, :replicas, 'QUEUED',
                                    :at::timestamptz - n * interval '1 second', :at::timestamptz - n * interval '1 second'
                                from generate_series(1, :count) n returning id)
                            insert into job_document (job_id, revision, document, by, at)
                            select id, 1, :document::jsonb, :user, :at::timestamptz from j
                            """)
                    .param("team", team.value())
                    .param("user", user.value())
                    .param("gpus", replicas * gpus)
                    .param("replicas", replicas)
                    .param("at", clock.instant().minusSeconds(salt).toString())
                    .param("count", each / 10)
                    .param("document", JobDocumentCodec.toJson(Ground.document(name, replicas, gpus)))
                    .update();
        }
    }
}
