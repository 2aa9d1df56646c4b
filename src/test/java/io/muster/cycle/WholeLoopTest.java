package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.Muster;
import io.muster.gateway.ClusterObserver;
import io.muster.inventory.Fleet;
import io.muster.inventory.FleetAdmin;
import io.muster.inventory.Pool;
import io.muster.job.JobDocument;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.support.FreshDatabase;
import io.muster.support.Ground;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TenancyAdmin;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The server as it is, on a virtual cluster whose clock runs fast: core, loop, dispatch, facts, books. */
@SpringBootTest(
        classes = Muster.class,
        properties = {
            "muster.virtual.fleet=classpath:scenarios/fleets/gpus-64.yaml",
            "muster.virtual.time-scale=60",
            "muster.virtual.poll=100ms",
            "muster.sample.enabled=false"
        })
@FreshDatabase
class WholeLoopTest {
    private static final Pool H100 = new Pool(
            new PoolId("h100"),
            "H100",
            Map.of("muster.io/pool", "h100"),
            List.of(
                    new Pool.Level("block", "network.topology.nvidia.com/block"),
                    new Pool.Level("rack", "network.topology.nvidia.com/rack"),
                    new Pool.Level("node", "kubernetes.io/hostname")),
            PodProfile.SHIPPED,
            3_600_000);

    @Autowired
    JdbcClient jdbc;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    FleetAdmin fleetAdmin;

    @Autowired
    Fleet fleet;

    @Autowired
    ClusterObserver observer;

    @Autowired
    LedgerReader reader;

    @Autowired
    Auditor auditor;

    @Autowired
    Picture picture;

    @Autowired
    Clock clock;

    @Autowired
    MeterRegistry meters;

    @Test
    void aMixOfJobsRunsToItsEndAndTheBooksBalance() {
        await().atMost(Duration.ofMinutes(5)).until(() -> one("select count(*) from node") == 8);
        fleetAdmin.ensurePool(null, H100);
        assertThat(fleet.nodes()).hasSize(8);
        var ground = new Ground(jdbc, tenancy, fleetAdmin, observer, clock);
        TeamId vision = team("vision");
        TeamId speech = team("speech");
        UserId ada = ground.user("ada");
        var jobs = new ArrayList<JobId>();
        for (int i = 0; i < 20; i++) {
            jobs.add(ground.submit(vision, ada, document("vision", 1, 4, "3m")));
        }
        for (int i = 0; i < 4; i++) {
            jobs.add(ground.submit(speech, ada, document("speech", 4, 8, "4m")));
        }

        await().atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> jobs.stream().map(this::state).allMatch(JobState::isTerminal));

        assertThat(jobs).extracting(this::state).containsOnly(JobState.SUCCEEDED);
        assertThat(auditor.audit(picture.now().minus(Duration.ofMinutes(5)))).isEmpty();
        await().atMost(Duration.ofMinutes(5))
                .untilAsserted(() -> assertThat(booked()).isEqualTo(used()).isPositive());
        assertThat(one("select count(*) from cluster_command where outcome = 'REFUSED'"))
                .isZero();
        assertThat(one("select sum(breaches) from scheduling_cycle")).isZero();
        assertThat(one("select count(*) from log_chunk")).isPositive();
        assertThat(meters.counter("muster.cycle.ticks").count())
                .as("Quartz ticks")
                .isGreaterThan(1);
    }

    private TeamId team(String name) {
        TeamId team = tenancy.ensureTeam(null, new TeamPath(name), name).id();
        for (Pool pool : fleet.pools()) {
            tenancy.ensureQuota(null, new TeamQuota(team, pool.id(), 32, null, null, 1));
        }
        return team;
    }

    private static JobDocument document(String team, int replicas, int gpus, String lasts) {
        JobDocument d = Ground.document(team, replicas, gpus);
        JobDocument.Group g = d.groups().getFirst();
        return new JobDocument(
                d.name(),
                d.team(),
                d.priority(),
                List.of(new JobDocument.Group(
                        g.name(),
                        g.replicas(),
                        g.each(),
                        0,
                        g.image(),
                        g.command(),
                        null,
                        Map.of("VIRTUAL_DURATION", lasts, "VIRTUAL_PULL", "5s"))),
                d.gpuTypes(),
                0,
                null,
                d.topology(),
                null,
                true,
                d.checkpoint(),
                0,
                List.of(),
                d.labels());
    }

    private JobState state(JobId id) {
        Optional<LedgerJob> job = reader.job(id);
        return job.orElseThrow().life().state();
    }

    private long booked() {
        return one("select coalesce(sum(gpu_seconds), 0) from usage_day");
    }

    private long used() {
        return one("select sum(gpus * floor(extract(epoch from released_at - started_at)))::bigint from replica");
    }

    private long one(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }
}
