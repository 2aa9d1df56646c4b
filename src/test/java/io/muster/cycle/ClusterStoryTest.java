package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.LedgerReplica;
import io.muster.job.LogStore;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.scheduling.plan.Decision;
import io.muster.support.Ground;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What comes of facts and of commands. */
class ClusterStoryTest extends LoopFixture {
    @Autowired
    LogStore logs;

    @Test
    void factsThatComeTwiceAndLateChangeNothing() {
        JobId job = submit(Ground.document("vision", 2, 4));
        AttemptId attempt = start(job, "n1", "n2");
        var facts = new ArrayList<ClusterFact>();
        for (LedgerReplica r : reader.replicas(attempt)) {
            for (var phase : List.of(ReplicaPhase.PENDING, ReplicaPhase.PULLING, ReplicaPhase.RUNNING)) {
                facts.add(seen(r, phase, null));
            }
        }
        observer.observe(facts);
        observer.observe(facts);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        clock.pass(Duration.ofMinutes(1));
        all(attempt, ReplicaPhase.SUCCEEDED);
        long events = count("select count(*) from job_event where job_id = " + job);

        Collections.shuffle(facts, new Random(7));
        observer.observe(facts);
        all(attempt, ReplicaPhase.SUCCEEDED);
        gone(attempt);

        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(count("select count(*) from job_event where job_id = " + job))
                .isEqualTo(events);
        assertThat(reader.replicas(attempt))
                .extracting(LedgerReplica::stage)
                .containsOnly(LedgerReplica.Stage.SUCCEEDED);
    }

    @Test
    void aGangInWhichSomeHaveSucceededIsNotBroken() {
        JobId job = submit(Ground.document("vision", 2, 4));
        AttemptId attempt = run(job, "n1", "n2");

        observer.observe(List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.SUCCEEDED, null)));

        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(count("select count(*) from replica where released_at is null"))
                .isOne();
    }

    @Test
    void oneFailedReplicaStopsTheWholeGangAndTheUsersRetryPays() {
        JobId job = submit(Ground.retrying(Ground.document("vision", 2, 4), 1));
        AttemptId first = run(job, "n1", "n2");

        observer.observe(List.of(seen(reader.replicas(first).get(1), ReplicaPhase.FAILED, FailureClass.USER_ERROR)));
        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        dispatch.runAll();
        assertThat(cluster.told()).contains("stop " + first + " 30s");
        gone(first);
        assertThat(state(job)).isEqualTo(JobState.QUEUED);
        assertThat(job(job).past().userRetriesUsed()).isOne();
        assertThat(attempt(first).failure()).isEqualTo(FailureClass.USER_ERROR);
        assertThat(jdbc.sql("select first_failing from attempt where job_id = " + job)
                        .query(String.class)
                        .single())
                .isEqualTo(first + "-worker-1");

        AttemptId second = run(job, "n1", "n2");
        all(second, ReplicaPhase.FAILED);

        assertThat(state(job)).isEqualTo(JobState.FAILED);
        assertThat(jdbc.sql("select failure from job where id = " + job)
                        .query(String.class)
                        .single())
                .isEqualTo("USER_ERROR");
    }

    @Test
    void manyStartInOneLoadAndOneThatIsRefusedOrLateIsNobodyElsesMatter() {
        var jobs = List.of(
                submit(Ground.document("vision", 1, 4)),
                submit(Ground.document("vision", 1, 4)),
                submit(Ground.document("vision", 1, 4)));
        planner.next(s -> jobs.stream()
                .<Decision>map(job -> start(
                        s.waiting().stream()
                                .filter(w -> w.id().equals(job))
                                .findFirst()
                                .orElseThrow(),
                        "n" + (1 + jobs.indexOf(job))))
                .toList());
        cycle.run();
        cluster.answer(new CommandOutcome.Done());
        cluster.answer(new CommandOutcome.Refused(FailureClass.ADMISSION, "no room"));
        cluster.answer(new CommandOutcome.Later(Duration.ofHours(1), "time-out"));
        // Those that are not done are asked again by themselves.
        cluster.answer(new CommandOutcome.Refused(FailureClass.ADMISSION, "no room"));
        cluster.answer(new CommandOutcome.Later(Duration.ofHours(1), "time-out"));

        dispatch.runAll();

        // Commands of different jobs have no order.
        assertThat(jobs.stream().map(job -> attempt(new AttemptId(job, 1)).failure()))
                .containsExactlyInAnyOrder(null, FailureClass.ADMISSION, null);
        assertThat(jdbc.sql("select coalesce(outcome, 'OPEN') from cluster_command where kind = 'START'")
                        .query(String.class)
                        .list())
                .containsExactlyInAnyOrder("DONE", "REFUSED", "OPEN");
    }

    @Test
    void oneBatchOfFactsMovesManyJobsEachByItsOwnPods() {
        AttemptId one = start(submit(Ground.document("vision", 1, 4)), "n1");
        AttemptId other = start(submit(Ground.document("vision", 2, 4)), "n2", "n3");
        AttemptId third = start(submit(Ground.document("vision", 1, 4)), "n4");

        observer.observe(List.of(
                seen(reader.replicas(one).getFirst(), ReplicaPhase.RUNNING, null),
                seen(reader.replicas(other).getFirst(), ReplicaPhase.RUNNING, null),
                seen(reader.replicas(third).getFirst(), ReplicaPhase.RUNNING, null),
                seen(reader.replicas(one).getFirst(), ReplicaPhase.SUCCEEDED, null),
                new ClusterFact.ProgramFinished(third, clock.instant())));

        assertThat(state(one.job())).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(other.job())).isEqualTo(JobState.STARTING);
        assertThat(attempt(third).programFinished()).isTrue();
    }

    @Test
    void aLostNodeCostsTheUserNothingAndTheGangWaitsForTheOthersToGo() {
        JobId job = submit(Ground.document("vision", 2, 4));
        AttemptId attempt = run(job, "n3", "n4");

        observer.observe(List.of(new ClusterFact.NodeGone(new NodeId("n4"), clock.instant())));

        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        assertThat(attempt(attempt).failure()).isEqualTo(FailureClass.NODE_LOST);
        gone(attempt);
        var back = job(job);
        assertThat(back.life().state()).isEqualTo(JobState.QUEUED);
        assertThat(back.past().userRetriesUsed()).isZero();
        assertThat(back.past().backoffUntil()).as("the first time, at once").isNull();
    }

    @Test
    void whatACompleteListLacksIsGoneUnlessItWasDispatchedAfterTheListBegan() {
        JobId old = submit(Ground.document("vision", 1, 4));
        AttemptId before = run(old, "n1");
        clock.pass(Duration.ofMinutes(1));
        var listed = clock.instant();
        JobId young = submit(Ground.document("vision", 1, 4));
        AttemptId after = start(young, "n2");
        JobId planned = submit(Ground.document("vision", 1, 4));
        planner.next(s -> List.of(start(s.waiting().getFirst(), "n3")));
        cycle.run();

        observer.observe(List.of(new ClusterFact.FullList(Set.of(), nodes(), listed)));

        assertThat(state(old)).isEqualTo(JobState.QUEUED);
        assertThat(attempt(before).failure()).isEqualTo(FailureClass.UNKNOWN);
        assertThat(state(young)).isEqualTo(JobState.STARTING);
        assertThat(state(planned)).isEqualTo(JobState.STARTING);
        clock.pass(Duration.ofMinutes(1));
        observer.observe(List.of(new ClusterFact.FullList(
                new HashSet<>(
                        reader.replicas(after).stream().map(LedgerReplica::id).toList()),
                nodes(),
                clock.instant())));
        assertThat(state(young)).as("it is listed").isEqualTo(JobState.STARTING);
    }

    private static Set<NodeId> nodes() {
        return Set.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"), new NodeId("n4"));
    }

    @Test
    void anImageThatDoesNotExistBreaksTheGangBeforeItsDeadline() {
        JobId job = submit(Ground.document("vision", 1, 4));
        AttemptId attempt = start(job, "n1");

        observer.observe(List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.PULLING, FailureClass.IMAGE)));

        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        assertThat(job(job).past().excludedNodes()).containsExactly(new NodeId("n1"));
    }

    @Test
    void aCrashBetweenClaimAndOutcomeRepeatsTheCommandUnderTheNextEpoch() {
        JobId job = submit(Ground.document("vision", 1, 4));
        planner.next(s -> List.of(start(s.waiting().getFirst(), "n1")));
        cycle.run();
        assertThat(dispatch.claimAndDie()).isOne();
        assertThat(dispatch.runAll()).as("the claim holds").isZero();

        leadership.giveUp();
        cycle.run();

        assertThat(dispatch.runAll()).isOne();
        var attempt = new AttemptId(job, 1);
        assertThat(cluster.told().stream().filter(("start " + attempt)::equals)).hasSize(1);
        assertThat(dispatch.runAll()).as("nothing twice").isZero();
    }

    @Test
    void nobodyDispatchesWithoutLeading() {
        submit(Ground.document("vision", 1, 4));
        planner.next(s -> List.of(start(s.waiting().getFirst(), "n1")));
        cycle.run();
        leadership.giveUp();

        assertThat(dispatch.runAll()).isZero();
    }

    @Test
    void aStartWhoseJobHasMovedOnIsSupersededAndHoldsNothing() {
        JobId job = submit(Ground.document("vision", 1, 4));
        planner.next(s -> List.of(start(s.waiting().getFirst(), "n1")));
        cycle.run();
        apply(job, new LifecycleEvent.Cancel());
        assertThat(state(job)).isEqualTo(JobState.STOPPING);
        int before = cluster.told().size();

        dispatch.runAll();

        assertThat(cluster.told().subList(before, cluster.told().size())).noneMatch(t -> t.startsWith("start"));
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(count("select count(*) from replica where released_at is null"))
                .isZero();
    }

    @Test
    void aRefusedStartBreaksTheGangByItsClassAndAnUnsureOneIsRepeated() {
        JobId job = submit(Ground.document("vision", 1, 4));
        cluster.answer(new CommandOutcome.Later(Duration.ZERO, "time-out"));
        cluster.answer(new CommandOutcome.Refused(FailureClass.ADMISSION, "no such runtime class"));

        AttemptId attempt = start(job, "n1");

        assertThat(cluster.told().stream().filter(("start " + attempt)::equals)).hasSize(2);
        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        assertThat(attempt(attempt).failure()).isEqualTo(FailureClass.ADMISSION);
        clock.pass(Duration.ofMinutes(1));
        observer.observe(List.of(new ClusterFact.FullList(Set.of(), nodes(), clock.instant())));
        assertThat(state(job)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void podsThatLiveAfterTheLedgerLetThemGoAreStopped() {
        JobId job = submit(Ground.document("vision", 1, 4));
        AttemptId attempt = run(job, "n1");
        gone(attempt);
        dispatch.runAll();
        clock.pass(Duration.ofMinutes(1));
        int before = cluster.told().size();

        observer.observe(List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.RUNNING, null)));
        dispatch.runAll();

        assertThat(cluster.told().subList(before, cluster.told().size())).containsExactly("stop " + attempt + " 0s");
    }

    @Test
    void linesAreKeptOnceInChunksAndBounded() {
        JobId job = submit(Ground.document("vision", 1, 4));
        AttemptId attempt = run(job, "n1");
        var replica = reader.replicas(attempt).getFirst().id();
        var at = clock.instant();
        observer.observe(List.of(
                new ClusterFact.LogLines(replica, 0, List.of("a", "b"), at),
                new ClusterFact.LogLines(replica, 2, List.of("c"), at)));
        observer.observe(List.of(new ClusterFact.LogLines(replica, 1, List.of("b", "c", "d"), at)));

        assertThat(count("select sum(lines) from log_chunk where job_id = " + job))
                .isEqualTo(4);
        assertThat(count("select count(*) from log_chunk where job_id = " + job))
                .isOne();
        long line = 4;
        String big = "x".repeat(16 * 1024);
        for (int i = 0; i < 12; i++) {
            observer.observe(List.of(new ClusterFact.LogLines(replica, line, Collections.nCopies(64, big), at)));
            line += 64;
        }
        assertThat(count("select sum(raw_bytes) from log_chunk where job_id = " + job))
                .isLessThan(10L << 20);
        assertThat(count("select lines from log_dropped where job_id = " + job)).isPositive();
    }
}
