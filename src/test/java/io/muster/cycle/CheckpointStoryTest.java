package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.dispatch.AttemptProgram;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.Cause;
import io.muster.job.JobLedger;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.support.Ground;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointStoryTest extends LoopFixture {

    @Test
    void aVictimSavesStopsAndReturnsToItsPlaceWithItsResumePoint() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 2, 8));
        var submitted = job(victim).submittedAt();
        AttemptId attempt = run(victim, "n1", "n2");
        clock.pass(Duration.ofMinutes(20));
        planner.next(ask(attempt, urgent));
        cycle.run();
        assertThat(job(victim).life()).isEqualTo(Life.checkpointing(Life.After.QUEUED));
        assertThat(planner.seen.running())
                .singleElement()
                .satisfies(r -> assertThat(r.leaving()).isFalse());
        cycle.run();
        assertThat(planner.seen.running()).singleElement().satisfies(r -> {
            assertThat(r.leaving()).isTrue();
            assertThat(r.leavingFor()).isEqualTo(urgent);
            assertThat(r.gpusHeld()).isEqualTo(16);
        });

        var signal = attempt(attempt).signal();
        assertThat(signal.deadline()).isEqualTo(clock.instant().plus(Duration.ofMinutes(2)));
        clock.pass(Duration.ofSeconds(30));
        assertThat(programs.reportCheckpoint(attempt, signal.id(), 1200, "/ckpt/step-1200", 5L))
                .isInstanceOf(AttemptProgram.Reported.Kept.class);
        assertThat(job(victim).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        dispatch.runAll();
        assertThat(cluster.told()).contains("stop " + attempt + " 30s");

        var replicas = reader.replicas(attempt);
        observer.observe(List.of(new ClusterFact.ReplicaGone(replicas.getFirst().id(), clock.instant())));
        assertThat(state(victim)).as("one pod is still there").isEqualTo(JobState.STOPPING);
        gone(attempt);

        var back = job(victim);
        assertThat(back.life().state()).isEqualTo(JobState.QUEUED);
        assertThat(back.submittedAt()).as("its old place").isEqualTo(submitted);
        assertThat(back.waitingSince()).isEqualTo(clock.instant());
        assertThat(back.past().resumePath()).isEqualTo("/ckpt/step-1200");
        assertThat(back.past().resumeStep()).isEqualTo(1200);
        assertThat(back.past().notBeside()).containsExactly(urgent);
        assertThat(back.past().preemptedAt()).hasSize(1);
        assertThat(back.past().backoffUntil()).isNull();
        assertThat(attempt(attempt).lostGpuSeconds()).isZero();

        AttemptId next = start(victim, "n3", "n4");
        assertThat(cluster.specs().getLast().resumeFrom()).isEqualTo("/ckpt/step-1200");
        assertThat(cluster.specs().getLast().resumeStep()).isEqualTo(1200);
        assertThat(next.number()).isEqualTo(2);
        assertThat(job(victim).past().notBeside()).isEmpty();
    }

    @Test
    void whoDoesNotAnswerTheSignalIsStoppedAtItsDeadlineAndTheLossIsRecorded() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 1, 8));
        AttemptId attempt = run(victim, "n1");
        clock.pass(Duration.ofMinutes(10));
        planner.next(ask(attempt, urgent));
        cycle.run();
        clock.pass(Duration.ofSeconds(119));
        cycle.run();
        assertThat(state(victim)).isEqualTo(JobState.CHECKPOINTING);

        clock.pass(Duration.ofSeconds(1));
        cycle.run();

        assertThat(job(victim).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        gone(attempt);
        assertThat(attempt(attempt).lostGpuSeconds()).isEqualTo(8 * 12 * 60);
        assertThat(job(victim).past().resumePath()).isNull();
    }

    @Test
    void aJobThatSavesOnSigtermIsToldToStopWithItsWholeGraceAndItsLateSaveCounts() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.saving(Ground.document("vision", 1, 8), CheckpointWay.SIGTERM));
        AttemptId attempt = run(victim, "n1");
        clock.pass(Duration.ofMinutes(10));
        planner.next(ask(attempt, urgent));

        cycle.run();
        dispatch.runAll();

        assertThat(job(victim).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        assertThat(cluster.told()).contains("stop " + attempt + " 120s");
        programs.reportCheckpoint(attempt, null, 50, "/ckpt/50", null);
        all(attempt, ReplicaPhase.SUCCEEDED);
        assertThat(state(victim)).as("an end after the signal is a preemption").isEqualTo(JobState.QUEUED);
        assertThat(job(victim).past().resumeStep()).isEqualTo(50);
        assertThat(attempt(attempt).lostGpuSeconds()).isZero();
    }

    @Test
    void aJobThatSavesByFileIsSignalledThroughTheCluster() {
        JobId job = submit(Ground.saving(Ground.document("vision", 1, 8), CheckpointWay.FILE));
        AttemptId attempt = run(job, "n1");

        apply(job, new LifecycleEvent.RequestCheckpoint(Life.After.RUNNING));
        dispatch.runAll();

        assertThat(cluster.told()).contains("signal " + attempt);
        var signal = attempt(attempt).signal();
        assertThat(signal.thenStop()).isFalse();
        assertThat(signal.deadline()).isEqualTo(clock.instant().plus(Duration.ofMinutes(3)));
        programs.reportCheckpoint(attempt, signal.id(), 9, "/ckpt/9", null);
        assertThat(state(job)).as("checkpoint now ends in RUNNING again").isEqualTo(JobState.RUNNING);
    }

    @Test
    void checkpointNowIsRefusedWhereOnlySigtermSaves() {
        JobId job = submit(Ground.saving(Ground.document("vision", 1, 8), CheckpointWay.SIGTERM));
        run(job, "n1");

        var answer = ledger.apply(
                job, new LifecycleEvent.RequestCheckpoint(Life.After.RUNNING), Cause.person(user, "checkpoint-now"));

        assertThat(answer).isInstanceOf(JobLedger.Applied.Refused.class);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aFailureAfterTheSignalCostsNoRetryAndIsAPreemption() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 2, 4));
        AttemptId attempt = run(victim, "n1", "n2");
        planner.next(ask(attempt, urgent));
        cycle.run();

        all(attempt, ReplicaPhase.FAILED);

        assertThat(state(victim)).isEqualTo(JobState.QUEUED);
        assertThat(job(victim).past().userRetriesUsed()).isZero();
        assertThat(attempt(attempt).failure()).isEqualTo(FailureClass.PREEMPTED);
    }

    @Test
    void aProgramThatSaysItIsDoneHasSucceededEvenAfterTheSignal() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 1, 8));
        AttemptId attempt = run(victim, "n1");
        planner.next(ask(attempt, urgent));
        cycle.run();

        programs.reportFinished(attempt);
        all(attempt, ReplicaPhase.SUCCEEDED);

        assertThat(state(victim)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void theProgramHearsItsSignalOnceAndThatItsAttemptIsOver() throws InterruptedException {
        JobId job = submit(Ground.document("vision", 1, 8));
        AttemptId attempt = run(job, "n1");
        assertThat(programs.awaitSignal(attempt, null, Duration.ZERO))
                .isInstanceOf(AttemptProgram.Awaited.Nothing.class);
        apply(job, new LifecycleEvent.RequestCheckpoint(Life.After.HELD));

        var heard = (AttemptProgram.Awaited.Signal) programs.awaitSignal(attempt, null, Duration.ofSeconds(5));
        assertThat(heard.signal().thenStop()).isTrue();
        assertThat(programs.awaitSignal(attempt, heard.signal().id(), Duration.ZERO))
                .isInstanceOf(AttemptProgram.Awaited.Nothing.class);
        assertThat(programs.reportCheckpoint(attempt, heard.signal().id(), 1, "/elsewhere/1", null))
                .isEqualTo(new AttemptProgram.Reported.WrongPath("/ckpt"));
        programs.reportCheckpoint(attempt, heard.signal().id(), 1, "/ckpt/1", null);
        gone(attempt);

        assertThat(state(job)).isEqualTo(JobState.HELD);
        assertThat(programs.awaitSignal(attempt, null, Duration.ZERO)).isInstanceOf(AttemptProgram.Awaited.Over.class);
        assertThat(programs.reportProgress(attempt, 2, null, null)).isInstanceOf(AttemptProgram.Reported.Over.class);
    }

    @Test
    void theFourthPreemptionInADayProtects() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 1, 8));
        for (int i = 1; i <= 4; i++) {
            AttemptId attempt = run(victim, "n1");
            clock.pass(Duration.ofMinutes(15));
            planner.next(ask(attempt, urgent));
            cycle.run();
            gone(attempt);
            assertThat(job(victim).past().preemptedAt()).hasSize(i);
            assertThat(job(victim).past().protectedUntil() != null).isEqualTo(i == 4);
        }
        assertThat(job(victim).past().protectedUntil())
                .isEqualTo(clock.instant().plus(Duration.ofHours(1)));
    }

    @Test
    void aSaveThatIsHeardOfWhenThePodsAreGoneIsGoneOnFromAllTheSame() {
        JobId job = submit(Ground.retrying(Ground.document("vision", 1, 8), 1));
        AttemptId attempt = run(job, "n1");
        gone(attempt);
        assertThat(state(job)).isEqualTo(JobState.QUEUED);
        assertThat(job(job).past().resumeStep()).isNull();

        observer.observe(List.of(new ClusterFact.CheckpointSaved(attempt, null, 30, "/ckpt/30", 1L, clock.instant())));

        assertThat(job(job).past().resumeStep()).isEqualTo(30);
        assertThat(job(job).past().resumePath()).isEqualTo("/ckpt/30");
    }

    @Test
    void aCheckpointThatLedNowhereIsPassedOver() {
        JobId job = submit(Ground.retrying(Ground.document("vision", 1, 8), 3));
        AttemptId first = run(job, "n1");
        programs.reportCheckpoint(first, null, 100, "/ckpt/100", null);
        clock.pass(Duration.ofMinutes(1));
        programs.reportCheckpoint(first, null, 200, "/ckpt/200", null);
        all(first, ReplicaPhase.FAILED);
        assertThat(job(job).past().resumePath()).isEqualTo("/ckpt/200");
        clock.pass(Duration.ofMinutes(5));

        AttemptId second = run(job, "n1");
        clock.pass(Duration.ofSeconds(20));
        all(second, ReplicaPhase.FAILED);

        assertThat(job(job).past().resumePath()).as("200 proved bad").isEqualTo("/ckpt/100");
        assertThat(reader.replicas(second)).extracting(LedgerReplica::stage).containsOnly(LedgerReplica.Stage.FAILED);
    }
}
