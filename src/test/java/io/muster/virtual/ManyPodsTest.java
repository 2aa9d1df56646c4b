package io.muster.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.support.Database;
import io.muster.virtual.Rows.TestClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Thousands of pods: a look costs what is due, not what is there. Bounds are wide, for slow machines. */
class ManyPodsTest {
    private static final int NODES = 500;
    private static final int JOBS = 4_000;

    private final Database database = Database.fresh();
    private final TestClock clock = new TestClock();
    private final ToldFacts told = new ToldFacts();
    private final VirtualParts server = Rows.parts(database, clock, told);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void fourThousandJobsStartAndALookAtNothingDueIsQuick() {
        server.become(Rows.fleet(NODES));
        // They report every hour, so that nothing is due for a while once they run.
        var quiet = Map.of("VIRTUAL_DURATION", "200h", "VIRTUAL_REPORT", "1h");
        for (int job = 1; job <= JOBS; job++) {
            String node = "n" + (1 + job % NODES);
            var outcome = server.cluster().start(Rows.attempt(new AttemptId(new JobId(job), 1), 1, quiet, null, node));
            assertThat(outcome).isEqualTo(new CommandOutcome.Done());
        }
        clock.pass(Duration.ofSeconds(10));
        assertThat(timed(() -> server.host().look())).isLessThan(Duration.ofSeconds(20));
        assertThat(told.all(ReplicaSeen.class).stream().filter(r -> r.phase() == ReplicaPhase.RUNNING))
                .hasSize(JOBS);

        told.forget();
        clock.pass(Duration.ofSeconds(10));
        assertThat(timed(() -> {
                    for (int i = 0; i < 20; i++) {
                        server.host().look();
                    }
                }))
                .isLessThan(Duration.ofSeconds(4));
        assertThat(told.all(ReplicaSeen.class)).isEmpty();
    }

    @Test
    void aGangOfFourThousandIsLookedAtInReasonableTime() {
        server.become(Rows.fleet(NODES));
        var nodes = new String[8 * NODES];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = "n" + (1 + i % NODES);
        }
        server.cluster().start(Rows.attempt(1, 1, nodes));
        clock.pass(Duration.ofSeconds(1));
        server.host().look();
        clock.pass(Duration.ofSeconds(10));
        assertThat(timed(() -> server.host().look())).isLessThan(Duration.ofSeconds(3));
    }

    private static Duration timed(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
