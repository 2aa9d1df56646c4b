package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.muster.accounting.UserUse;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.JobDocument;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.TeamOrder;
import io.muster.model.UserId;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.verify.PlanVerifier;
import io.muster.support.Ground;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TenancyAdmin;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;

/** A team's order reaches the core, with what its jobs had, and what the core decides by it reaches the jobs. */
class TeamTurnsTest extends LoopFixture {
    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    UserUse userUse;

    @AfterEach
    void firstComeFirstServed() {
        order(null);
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void whoHadMuchYieldsToWhoHadLittleWhereTheTeamSaysSo(TeamOrder order) {
        order(order);
        JobId old = submit(Ground.document("vision", 4, 8));
        AttemptId attempt = run(old, "n1", "n2", "n3", "n4");
        clock.pass(Duration.ofHours(8));
        JobId young = submit(Ground.document("vision", 1, 8));
        clock.pass(Duration.ofMinutes(30));
        programs.reportCheckpoint(attempt, null, 50, "/ckpt/50", null);
        clock.pass(Duration.ofMinutes(1));

        corePlans();

        if (order == TeamOrder.FIFO) {
            assertThat(state(old)).isEqualTo(JobState.RUNNING);
        } else {
            assertThat(state(old)).isEqualTo(JobState.CHECKPOINTING);
            assertThat(causes(old)).contains("turn");
            assertThat(attempt(attempt).beneficiary()).isEqualTo(young);
        }
    }

    @Test
    void theTeamsAboveAndThePolicyDecideWhereATeamSaysNothing() {
        cycle.run();
        assertThat(seenTeam().order()).isEqualTo(TeamOrder.FIFO);
        order(TeamOrder.FAIR_FINISH);
        var inner = ground.team("vision/inner", 0);
        cycle.run();
        assertThat(planner.seen.teams())
                .filteredOn(t -> t.id().equals(inner))
                .singleElement()
                .satisfies(t -> assertThat(t.order()).isEqualTo(TeamOrder.FAIR_FINISH));
    }

    @Test
    void serviceIsThatOfAllAttempts() {
        order(TeamOrder.FAIR_FINISH);
        JobId job = submit(Ground.retrying(Ground.document("vision", 1, 8), 1));
        AttemptId first = run(job, "n1");
        clock.pass(Duration.ofMinutes(30));
        all(first, ReplicaPhase.FAILED);
        gone(first);
        clock.pass(Duration.ofMinutes(30));
        run(job, "n1");
        clock.pass(Duration.ofMinutes(20));

        cycle.run();

        assertThat(planner.seen.running())
                .singleElement()
                .extracting(RunningJob::service)
                .isEqualTo(new Service(Duration.ofMinutes(50), Duration.ZERO));
    }

    @Test
    void runTimesAreLearnedByTheNameButForItsNumbers() {
        for (int i = 0; i < 12; i++) {
            lasts("short-" + i, Duration.ofMinutes(2));
            lasts("long-" + i, Duration.ofHours(20));
        }
        var history = new RunTimes(jdbc).asOf(clock.instant());
        var shortOne = expected("Short-99", history);
        var longOne = expected("long-99", history);
        assertThat(shortOne).isLessThan(Duration.ofMinutes(20));
        assertThat(longOne).isGreaterThan(shortOne.multipliedBy(2));
        assertThat(expected("new", history)).isBetween(shortOne, longOne);
    }

    @Test
    void whatUsersUsedFadesAndIsReckonedAgainstTheTeam() {
        UserId other = ground.user("bob");
        used(user, 0, 3_000);
        used(other, 7, 2_000);
        used(other, 100, 9_000_000);

        cycle.run();

        var ratios = seenTeam().userUse().get(Ground.POOL);
        assertThat(ratios.get(user)).isCloseTo(1.5, within(0.1));
        assertThat(ratios.get(other)).isCloseTo(0.5, within(0.1));
        assertThat(userUse.ratios(clock.instant().plus(Duration.ofDays(300)), Duration.ofDays(7)))
                .isEmpty();
    }

    private void used(UserId who, int daysAgo, long gpuSeconds) {
        jdbc.sql("insert into usage_day (day, team_id, principal_id, pool, gpu_seconds)"
                        + " values ((:now at time zone 'UTC')::date - :days, :team, :user, :pool, :used)")
                .param("now", clock.instant().atOffset(ZoneOffset.UTC))
                .param("days", daysAgo)
                .param("team", team.value())
                .param("user", who.value())
                .param("pool", Ground.POOL.value())
                .param("used", gpuSeconds)
                .update();
    }

    private void lasts(String name, Duration length) {
        JobId job = submit(named(name));
        AttemptId attempt = run(job, "n1");
        clock.pass(length);
        all(attempt, ReplicaPhase.SUCCEEDED);
        gone(attempt);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
    }

    private Duration expected(String name, RunTimeHistory history) {
        return RunTimes.service(history, 8, team, user, named(name), Duration.ZERO)
                .nextEnd();
    }

    private static JobDocument named(String name) {
        JobDocument d = Ground.document("vision", 1, 8);
        return new JobDocument(
                name,
                d.team(),
                d.priority(),
                d.groups(),
                d.gpuTypes(),
                d.minGpuMemoryMib(),
                d.pool(),
                d.topology(),
                d.walltime(),
                d.preemptible(),
                d.checkpoint(),
                d.userRetries(),
                d.data(),
                d.labels());
    }

    private TeamView seenTeam() {
        return planner.seen.teams().stream()
                .filter(t -> t.id().equals(team))
                .findFirst()
                .orElseThrow();
    }

    private void order(TeamOrder order) {
        tenancy.ensureDefaults(
                null, team, new TeamDefaults(null, null, null, null, null, List.of(), null, null, order));
    }

    private void corePlans() {
        planner.next(snapshot -> {
            SchedulingPlan plan = new Scheduler().plan(snapshot);
            assertThat(PlanVerifier.verify(snapshot, plan)).isEmpty();
            return plan.decisions();
        });
        assertThat(cycle.run()).isNotEqualTo(Cycle.Outcome.FAILED);
    }
}
