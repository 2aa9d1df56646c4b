package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ClusterFact;
import io.muster.inventory.Fleet;
import io.muster.lifecycle.Life;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.ReplicaId;
import io.muster.policy.HangAction;
import io.muster.policy.PolicyBook;
import io.muster.policy.PolicyValues;
import io.muster.support.Ground;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Which silence is a hang, and what follows. */
class HangTest extends LoopFixture {
    @Autowired
    Hangs hangs;

    @Autowired
    Fleet fleet;

    @Autowired
    PolicyBook policy;

    private final Map<ReplicaId, Long> printed = new HashMap<>();
    private HangAction action = HangAction.ALERT;

    @BeforeEach
    void listens() {
        cluster.inView(true);
        cycle.run();
        look();
    }

    @AfterEach
    void inView() {
        cluster.inView(true);
    }

    @Test
    void whoNeverReportsIsNeverSuspected() {
        AttemptId mute = run(submit(Ground.document("vision", 1, 8)), "n1");
        AttemptId greets = run(submit(Ground.document("vision", 1, 8)), "n2");
        print(greets, 0);
        pass(Duration.ofHours(5));

        assertThat(told(mute)).isEmpty();
        assertThat(told(greets)).as("a greeting is no report").isEmpty();
    }

    @Test
    void whoReportedAndFallsSilentIsToldOfOnceAndWithWhoFellSilentFirst() {
        AttemptId attempt = run(submit(Ground.document("vision", 2, 8)), "n1", "n2");
        pass(Duration.ofMinutes(5));
        print(attempt, 1);
        pass(Duration.ofMinutes(5));
        print(attempt, 0);
        report(attempt, 40);

        pass(Duration.ofMinutes(29));
        assertThat(told(attempt)).isEmpty();
        pass(Duration.ofMinutes(2));
        pass(Duration.ofMinutes(60));

        assertThat(told(attempt)).containsExactly("hang-suspected");
        assertThat(jdbc.sql(
                                "select data ->> 'replica' || ' ' || (data ->> 'step') from job_event where kind = 'hang-suspected'"
                                        + " and job_id = " + attempt.job())
                        .query(String.class)
                        .single())
                .endsWith("worker-1 40");
        assertThat(state(attempt.job())).isEqualTo(JobState.RUNNING);

        report(attempt, 41);
        look();
        assertThat(told(attempt)).containsExactly("hang-suspected", "hang-over");
        assertThat(count("select count(*) from attempt where hung_since is not null"))
                .isZero();
        pass(Duration.ofMinutes(31));
        assertThat(told(attempt)).containsExactly("hang-suspected", "hang-over", "hang-suspected");
    }

    @Test
    void outputAloneIsASignOfLifeToo() {
        AttemptId attempt = run(submit(Ground.document("vision", 1, 8)), "n1");
        for (int i = 0; i < 8; i++) {
            pass(Duration.ofMinutes(10));
            print(attempt, 0);
        }
        assertThat(told(attempt)).isEmpty();
        pass(Duration.ofMinutes(31));
        assertThat(told(attempt)).containsExactly("hang-suspected");
    }

    @Test
    void wherePolicySaysSoItStartsAgainFromItsCheckpointAtTheMachinesCost() {
        action = HangAction.RESTART;
        JobId job = submit(Ground.retrying(Ground.document("vision", 1, 8), 1));
        AttemptId attempt = run(job, "n1");
        observer.observe(List.of(new ClusterFact.CheckpointSaved(attempt, null, 30, "/ckpt/30", 1L, clock.instant())));
        report(attempt, 40);

        pass(Duration.ofMinutes(31));

        assertThat(told(attempt)).containsExactly("hang-suspected");
        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        dispatch.runAll();
        assertThat(cluster.told()).as("it is not asked to save").noneMatch(c -> c.startsWith("signal " + attempt));
        gone(attempt);
        assertThat(state(job)).isEqualTo(JobState.QUEUED);
        assertThat(attempt(attempt).failure()).isEqualTo(FailureClass.HANG);
        assertThat(attempt(attempt).lostGpuSeconds()).isPositive();
        assertThat(job(job).past().resumeStep()).isEqualTo(30);
        assertThat(job(job).past().userRetriesUsed()).isZero();
        assertThat(job(job).past().infrastructureRetriesUsed()).isOne();
    }

    @Test
    void neverMeansThatNobodyIsTold() {
        action = HangAction.NEVER;
        AttemptId attempt = run(submit(Ground.document("vision", 1, 8)), "n1");
        report(attempt, 1);
        pass(Duration.ofHours(3));
        assertThat(told(attempt)).isEmpty();
    }

    @Test
    void silenceWhileTheClusterOrANodeIsOutOfSightDoesNotCount() {
        AttemptId attempt = run(submit(Ground.document("vision", 2, 8)), "n1", "n2");
        report(attempt, 1);
        cluster.inView(false);
        pass(Duration.ofMinutes(45));
        cluster.inView(true);
        pass(Duration.ofMinutes(1));
        assertThat(told(attempt)).as("the cluster was away").isEmpty();
        pass(Duration.ofMinutes(20));

        ground.node("n2", "r1", false, 8);
        pass(Duration.ofMinutes(25));
        assertThat(told(attempt)).as("a node of it is not ready").isEmpty();
        ground.node("n2", "r1", true, 8);
        pass(Duration.ofMinutes(20));
        assertThat(told(attempt)).as("20 minutes in sight").isEmpty();
        pass(Duration.ofMinutes(15));
        assertThat(told(attempt)).containsExactly("hang-suspected");
    }

    @Test
    void aNewLeaderListensAWholeTimeItself() {
        AttemptId attempt = run(submit(Ground.document("vision", 1, 8)), "n1");
        report(attempt, 1);
        pass(Duration.ofMinutes(25));
        leadership.giveUp();
        cycle.run();
        pass(Duration.ofMinutes(10));
        assertThat(told(attempt)).as("who knows what was said in between").isEmpty();
        pass(Duration.ofMinutes(25));
        assertThat(told(attempt)).containsExactly("hang-suspected");
    }

    /** Minute by minute, as the loop does. */
    private void pass(Duration time) {
        for (long minute = 0; minute < time.toMinutes(); minute++) {
            clock.pass(Duration.ofMinutes(1));
            look();
        }
    }

    private void look() {
        PolicyValues v = policy.current().values();
        hangs.keep(
                fleet.nodes(),
                new PolicyValues(
                        v.minRuntime(),
                        v.defaultGrace(),
                        v.maxGrace(),
                        v.startDeadline(),
                        v.reservationExpiry(),
                        v.agingStep(),
                        v.agingPerStep(),
                        v.agingMost(),
                        v.usageHalfLife(),
                        v.usageStrength(),
                        v.reclaimPercent(),
                        v.reclaimWindow(),
                        v.preemptionsPerDay(),
                        v.protectFor(),
                        v.infrastructureRetries(),
                        v.backoffFirst(),
                        v.backoffMost(),
                        v.reservationDepth(),
                        v.defaultRunTime(),
                        v.hangTimeout(),
                        action,
                        v.order()),
                clock.instant());
    }

    private void report(AttemptId attempt, long step) {
        observer.observe(List.of(new ClusterFact.ProgressMade(attempt, step, 100L, 0.5, clock.instant())));
    }

    private void print(AttemptId attempt, int replica) {
        var id = new ReplicaId(attempt, "worker", replica);
        long line = printed.merge(id, 1L, Long::sum) - 1;
        observer.observe(List.of(new ClusterFact.LogLines(id, line, List.of("step"), clock.instant())));
    }

    private List<String> told(AttemptId attempt) {
        return jdbc.sql("select kind from job_event where job_id = :job and kind like 'hang-%' order by id")
                .param("job", attempt.job().value())
                .query(String.class)
                .list();
    }
}
