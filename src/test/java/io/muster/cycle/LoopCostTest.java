package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.dispatch.DispatchHand;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.LedgerReader;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.support.CountedDatabase;
import io.muster.support.Ground;
import io.muster.support.HandClock;
import io.muster.support.LoopTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** What jobs on their way ask of the database: many together no more than two do, in every step of the way. */
@LoopTest
@Import({CountedDatabase.class, DispatchHand.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoopCostTest {
    private static final int FEW = 2;
    private static final int MANY = 30;

    @Autowired
    Cycle cycle;

    @Autowired
    DispatchHand dispatch;

    @Autowired
    ClusterObserver observer;

    @Autowired
    LedgerReader reader;

    @Autowired
    Ground ground;

    @Autowired
    HandClock clock;

    private TeamId team;
    private UserId user;

    @BeforeAll
    void settle() {
        ground.pool();
        team = ground.team("vision", MANY);
        user = ground.user("ada");
        for (int i = 0; i < MANY / 8 + 1; i++) {
            ground.node("n" + i, "r1");
        }
        CountedDatabase.countToo(Thread.currentThread());
        // The first of everything fills caches.
        travel(FEW);
    }

    @Test
    void manyJobsTogetherCostNoMoreStatementsThanAFew() {
        assertThat(travel(MANY)).isEqualTo(travel(FEW));
    }

    /** How many statements each step of the way of so many jobs takes. */
    private List<Integer> travel(int count) {
        var jobs = IntStream.range(0, count)
                .mapToObj(i -> ground.submit(team, user, Ground.document("vision", 1, 1)))
                .toList();
        var costs = new ArrayList<Integer>();
        costs.add(cost(() -> assertThat(cycle.run()).isEqualTo(Cycle.Outcome.DECIDED)));
        costs.add(cost(() -> assertThat(dispatch.runAll()).isEqualTo(count)));
        for (var phase : List.of(ReplicaPhase.RUNNING, ReplicaPhase.SUCCEEDED)) {
            var facts = facts(jobs, phase);
            costs.add(cost(() -> observer.observe(facts)));
        }
        jobs.forEach(
                job -> assertThat(reader.job(job).orElseThrow().life().state()).isEqualTo(JobState.SUCCEEDED));
        return costs;
    }

    private int cost(Runnable step) {
        clock.pass(Duration.ofSeconds(1));
        CountedDatabase.sent();
        step.run();
        return CountedDatabase.sent().size();
    }

    private List<ClusterFact> facts(List<JobId> jobs, ReplicaPhase phase) {
        return jobs.stream()
                .flatMap(job -> reader.replicas(new AttemptId(job, 1)).stream())
                .map(r -> (ClusterFact)
                        new ClusterFact.ReplicaSeen(r.id(), phase, r.node(), null, null, null, null, clock.instant()))
                .toList();
    }
}
