package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ReplicaPhase;
import io.muster.job.Cause;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobState;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.verify.Breach;
import io.muster.support.Ground;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoopStoryTest extends LoopFixture {

    @Test
    void aJobGoesFromSubmitToFinish() {
        var job = submit(Ground.document("vision", 2, 8));

        var attempt = start(job, "n1", "n2");

        assertThat(state(job)).isEqualTo(JobState.STARTING);
        assertThat(cluster.told()).contains("start " + attempt);
        assertThat(cluster.specs().getLast().replicas())
                .extracting(r -> r.id().podName() + "@" + r.node())
                .containsExactly(attempt + "-worker-0@n1", attempt + "-worker-1@n2");
        assertThat(cluster.specs().getLast().token()).isEqualTo("token-of-" + attempt);

        all(attempt, ReplicaPhase.RUNNING);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        clock.pass(Duration.ofMinutes(10));
        all(attempt, ReplicaPhase.SUCCEEDED);

        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(count("select count(*) from replica where released_at is null"))
                .isZero();
        assertThat(causes(job)).containsExactly("planned", "all-replicas-run", "all-replicas-succeeded");
        assertThat(count("select count(*) from cluster_command where kind = 'STOP' and done_at is null"))
                .as("what is left of a finished attempt is cleaned away")
                .isOne();
    }

    @Test
    void aJobThatWasCancelledWhileThePlanWasMadeIsLeftOutAndTheOthersStart() {
        var cancelled = submit(Ground.document("vision", 1, 8));
        var other = submit(Ground.document("vision", 1, 8));
        planner.next(snapshot -> snapshot.waiting().stream()
                .map(w -> (Decision) start(w, w.id().equals(other) ? "n1" : "n2"))
                .toList());
        planner.meanwhile(() -> apply(cancelled, new LifecycleEvent.Cancel()));

        cycle.run();

        assertThat(state(cancelled)).isEqualTo(JobState.CANCELLED);
        assertThat(state(other)).isEqualTo(JobState.STARTING);
        assertThat(count("select count(*) from replica")).isOne();
    }

    @Test
    void aDecisionThatBreaksARuleIsDroppedAndTheRestGoesOn() {
        var bad = submit(Ground.document("vision", 1, 8));
        var good = submit(Ground.document("vision", 1, 8));
        planner.next(snapshot -> {
            var starts = snapshot.waiting().stream()
                    .map(w -> (Decision) start(w, w.id().equals(good) ? "n1" : "n2"))
                    .toList();
            var wrong =
                    starts.stream().filter(d -> d.job().equals(bad)).findFirst().orElseThrow();
            planner.breaches(List.of(new Breach(Breach.Rule.CAPACITY, bad, wrong, "made up")));
            return starts;
        });

        cycle.run();

        assertThat(state(bad)).isEqualTo(JobState.QUEUED);
        assertThat(state(good)).isEqualTo(JobState.STARTING);
    }

    @Test
    void theLoopGoesOnAfterAPlanThatThrows() {
        var job = submit(Ground.document("vision", 1, 8));
        planner.next(snapshot -> {
            throw new IllegalStateException("made up");
        });

        assertThat(cycle.run()).isEqualTo(Cycle.Outcome.FAILED);

        start(job, "n1");
        assertThat(state(job)).isEqualTo(JobState.STARTING);
    }

    @Test
    void aJobThatMakesTheCoreThrowIsHeldAndTheOthersArePlanned() {
        var good = submit(Ground.document("vision", 1, 8));
        var poison = submit(Ground.document("vision", 1, 8));
        var alsoGood = submit(Ground.document("vision", 1, 8));
        planner.throwsAt(poison);

        assertThat(cycle.run()).isEqualTo(Cycle.Outcome.FAILED);

        assertThat(state(poison)).isEqualTo(JobState.HELD);
        assertThat(job(poison).past().holdWhy()).contains("It cannot be planned");
        start(good, "n1");
        start(alsoGood, "n2");
        assertThat(causes(poison)).containsExactly("set-aside");
    }

    @Test
    void aJobHeldWhileItRanKeepsTheReasonThatItWasGiven() {
        var job = submit(Ground.document("vision", 1, 8));
        var attempt = run(job, "n1");
        ledger.apply(
                job,
                new LifecycleEvent.Stop(Life.After.HELD),
                Cause.system("held-by-user", Map.of("reason", "the data are wrong")));

        gone(attempt);

        assertThat(state(job)).isEqualTo(JobState.HELD);
        assertThat(job(job).past().holdWhy()).isEqualTo("the data are wrong");
    }

    @Test
    void everyWaitingJobIsExplainedAndOnlyNewsIsWritten() {
        var job = submit(Ground.document("vision", 1, 8));
        var held = submit(Ground.document("vision", 1, 8));
        apply(held, new LifecycleEvent.Hold());

        cycle.run();
        assertThat(count("select count(*) from explanation")).isEqualTo(2);
        jdbc.sql("update explanation set as_of = 'epoch'").update();
        clock.pass(Duration.ofSeconds(30));
        cycle.run();
        assertThat(count("select count(*) from explanation where as_of = 'epoch'"))
                .as("nothing new was written")
                .isEqualTo(2);

        start(job, "n1");
        assertThat(count("select count(*) from explanation where job_id = " + job))
                .isZero();
    }

    @Test
    void aJobThatUsedUpItsWalltimeIsAskedToSaveAndFails() {
        var job = submit(Ground.lasting(Ground.document("vision", 1, 8), Duration.ofHours(1)));
        var attempt = run(job, "n1");
        clock.pass(Duration.ofHours(1));
        planner.next(new Decision.Stop(job, attempt));

        cycle.run();
        assertThat(state(job)).isEqualTo(JobState.CHECKPOINTING);
        var signal = attempt(attempt).signal();
        programs.reportCheckpoint(attempt, signal.id(), 7, "/ckpt/7", null);
        gone(attempt);

        assertThat(state(job)).isEqualTo(JobState.FAILED);
        assertThat(jdbc.sql("select failure || ': ' || failure_message from job where id = " + job)
                        .query(String.class)
                        .single())
                .isEqualTo("DEADLINE: The walltime is used up.");
        assertThat(attempt(attempt).message()).isEqualTo("The walltime is used up.");
    }
}
