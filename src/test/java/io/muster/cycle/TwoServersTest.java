package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.Muster;
import io.muster.gateway.ClusterDuty;
import io.muster.job.LedgerReader;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.support.Database;
import io.muster.support.Ground;
import io.muster.support.LoopTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two whole servers on one database: whatever happens, one commits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoServersTest {
    /** So long that it never runs out by itself: on a busy machine a short one would. */
    private static final Duration LEASE = Duration.ofHours(1);

    private ConfigurableApplicationContext one;
    private ConfigurableApplicationContext other;

    @BeforeAll
    void start() {
        var database = Database.fresh();
        one = server(database);
        other = server(database);
    }

    @AfterAll
    void stop() {
        one.close();
        other.close();
    }

    private static ConfigurableApplicationContext server(Database database) {
        return new SpringApplicationBuilder(Muster.class, LoopTest.Parts.class, LoopFixture.Script.class)
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test database", database.properties())))
                .run(
                        "--server.port=0",
                        "--muster.cycle.enabled=false",
                        "--muster.cycle.lease=" + LEASE.toHours() + "h",
                        "--muster.dispatch.workers=0",
                        "--muster.cluster.type=none",
                        "--spring.quartz.auto-startup=false");
    }

    @Test
    void aLeaderThatSleptThroughItsReplacementCommitsNothing() throws InterruptedException {
        var ground = ground(one);
        ground.pool();
        ground.node("n1", "r1");
        JobId job = ground.submit(ground.team("vision", 8), ground.user("ada"), Ground.document("vision", 1, 8));
        one.getBean(ScriptedPlanner.class)
                .next(s -> List.of(LoopFixture.start(s.waiting().getFirst(), "n1")));
        one.getBean(ScriptedPlanner.class).meanwhile(() -> {
            // The old leader hangs here while the other takes over and starts the job.
            one.getBean(JdbcClient.class)
                    .sql("update scheduler_epoch set renewed_at = renewed_at - interval '2 hours'")
                    .update();
            other.getBean(ScriptedPlanner.class)
                    .next(s -> List.of(LoopFixture.start(s.waiting().getFirst(), "n1")));
            assertThat(other.getBean(Cycle.class).run()).isEqualTo(Cycle.Outcome.DECIDED);
        });

        assertThat(one.getBean(Cycle.class).run()).isEqualTo(Cycle.Outcome.NOT_LEADING);

        var row = one.getBean(LedgerReader.class).job(job).orElseThrow();
        assertThat(row.life().state()).isEqualTo(JobState.STARTING);
        assertThat(row.attempt()).isOne();
        assertThat(one.getBean(JdbcClient.class)
                        .sql("select count(*) from replica")
                        .query(Long.class)
                        .single())
                .isOne();
        assertThat(one.getBean(Leadership.class).leads()).isFalse();
    }

    @Test
    void ofTwoThatBeatAtOnceOnlyOneLeadsAtATime() throws InterruptedException {
        var jdbc = one.getBean(JdbcClient.class);
        long before = epoch(jdbc);
        var stop = new AtomicBoolean();
        var both = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (var server : List.of(one, other)) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    server.getBean(Cycle.class).run();
                }
            }));
        }
        for (int i = 0; i < 100; i++) {
            // Beliefs may overlap for a moment; the fence is what counts: at most one epoch is the row's.
            both.compareAndSet(false, fenceHolds(one) && fenceHolds(other));
            sleep(Duration.ofMillis(10));
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(both).isFalse();
        assertThat(epoch(jdbc)).as("nobody was replaced without need").isLessThanOrEqualTo(before + 1);
    }

    private static boolean fenceHolds(ConfigurableApplicationContext server) {
        return server.getBean(Leadership.class).epoch().isPresent();
    }

    @Test
    void aServerThatStopsLetsTheOtherLeadAtOnce() {
        var leader = one.getBean(Cycle.class).run() == Cycle.Outcome.NOT_LEADING ? other : one;
        var next = leader == one ? other : one;
        assertThat(next.getBean(Cycle.class).run()).isEqualTo(Cycle.Outcome.NOT_LEADING);

        leader.getBean(Leadership.class).giveUp();

        assertThat(next.getBean(Cycle.class).run()).isEqualTo(Cycle.Outcome.QUIET);
    }

    @Test
    void onlyTheServerThatLeadsWatchesTheCluster() {
        lead(one);
        assertThat(one.getBean(ClusterDuty.class).isOurs()).isTrue();
        assertThat(other.getBean(ClusterDuty.class).isOurs()).isFalse();

        lead(other);

        assertThat(one.getBean(ClusterDuty.class).isOurs()).isFalse();
        assertThat(other.getBean(ClusterDuty.class).isOurs()).isTrue();
    }

    @Test
    void whoLeadsAgainRemembersNothingOfWhatItWroteBefore() {
        var ground = ground(one);
        ground.pool();
        ground.node("n1", "r1");
        JobId job = ground.submit(ground.team("vision", 8), ground.user("ada"), Ground.document("vision", 1, 8));
        lead(one);
        lead(other);
        one.getBean(JdbcClient.class)
                .sql("update explanation set digest = '', place = 99 where job_id = :job")
                .param("job", job.value())
                .update();

        lead(one);

        assertThat(one.getBean(JdbcClient.class)
                        .sql("select place from explanation where job_id = :job")
                        .param("job", job.value())
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    private void lead(ConfigurableApplicationContext server) {
        (server == one ? other : one).getBean(Leadership.class).giveUp();
        assertThat(server.getBean(Cycle.class).run()).isEqualTo(Cycle.Outcome.QUIET);
    }

    private static long epoch(JdbcClient jdbc) {
        return jdbc.sql("select epoch from scheduler_epoch").query(Long.class).single();
    }

    private static Ground ground(ConfigurableApplicationContext server) {
        return server.getBean(Ground.class);
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
