package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.LedgerReplica;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.verify.PlanVerifier;
import io.muster.support.Ground;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TenancyAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Outside guarantees, a fifth of a pool is reclaimed in ten minutes at most: over all cycles, whoever runs them. */
class ReclaimRateTest extends LoopFixture {
    private static final Duration WINDOW = Duration.ofMinutes(10);

    @Autowired
    TenancyAdmin tenancy;

    private TeamId lender;
    private TeamId borrower;
    private final List<JobId> borrowed = new ArrayList<>();

    @BeforeEach
    void aTeamBorrowsTheWholePool() {
        jdbc.sql("delete from reclaim").update();
        tenancy.ensureQuota(null, new TeamQuota(team, Ground.POOL, 0, null, null, 1));
        borrower = withoutGuarantee("borrower");
        lender = withoutGuarantee("lender");
        ground.node("n5", "r2");
        borrowed.clear();
        for (int i = 1; i <= 5; i++) {
            JobId job = ground.submit(borrower, user, Ground.document("borrower", 1, 8));
            run(job, "n" + i);
            borrowed.add(job);
        }
        clock.pass(Duration.ofHours(1));
        for (int i = 0; i < 2; i++) {
            ground.submit(lender, user, Ground.document("lender", 1, 8));
        }
    }

    private TeamId withoutGuarantee(String name) {
        TeamId id = tenancy.ensureTeam(null, new TeamPath(name), name).id();
        tenancy.ensureQuota(null, new TeamQuota(id, Ground.POOL, 0, null, null, 1));
        return id;
    }

    @Test
    void theLimitHoldsOverManyCyclesAndGrowsAgainWithTheWindow() {
        corePlans();
        assertThat(asked()).as("8 of 40 GPUs are a fifth").isEqualTo(1);
        for (int minute = 1; minute < 10; minute++) {
            clock.pass(Duration.ofMinutes(1));
            everybodyStays();
            corePlans();
            assertThat(asked()).as("after %d minutes", minute).isEqualTo(1);
        }
        assertThat(planner.seen.pools().getFirst().reclaimedLately()).isEqualTo(8);

        clock.pass(Duration.ofMinutes(1));
        everybodyStays();
        corePlans();

        assertThat(asked()).as("the first is older than the window").isEqualTo(2);
    }

    @Test
    void neitherARestartNorAnotherLeaderForgetsWhatWasTaken() {
        corePlans();
        clock.pass(Duration.ofMinutes(1));
        picture.forget();
        leadership.giveUp();

        corePlans();

        assertThat(planner.seen.pools().getFirst().reclaimedLately()).isEqualTo(8);
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void onlyReclaimsOutsideGuaranteesCount() {
        var victims = borrowed.stream().map(job -> new AttemptId(job, 1)).toList();
        JobId beneficiary = submit(Ground.document("vision", 1, 8));
        planner.next(
                request(victims.get(0), beneficiary, Decision.Cause.RECLAIM, true),
                request(victims.get(1), beneficiary, Decision.Cause.PREEMPTION, false),
                request(victims.get(2), beneficiary, Decision.Cause.ACROSS_TEAMS, false),
                request(victims.get(3), beneficiary, Decision.Cause.RECLAIM, false));
        cycle.run();

        cycle.run();

        assertThat(planner.seen.pools().getFirst().reclaimedLately()).isEqualTo(8);
        clock.pass(WINDOW);
        cycle.run();
        assertThat(planner.seen.pools().getFirst().reclaimedLately()).isZero();
    }

    @Test
    void whatWasRefusedIsNotCounted() {
        JobId beneficiary = submit(Ground.document("vision", 1, 8));
        planner.next(request(new AttemptId(borrowed.getFirst(), 1), beneficiary, Decision.Cause.RECLAIM, false));
        planner.meanwhile(() -> apply(borrowed.getFirst(), new LifecycleEvent.Cancel()));
        cycle.run();

        cycle.run();

        assertThat(planner.seen.pools().getFirst().reclaimedLately()).isZero();
    }

    private static Decision request(AttemptId victim, JobId beneficiary, Decision.Cause cause, boolean guaranteed) {
        return new Decision.RequestCheckpoint(victim.job(), victim, beneficiary, cause, 8, 100, guaranteed);
    }

    /** The real core decides, and the real verifier agrees. */
    private void corePlans() {
        planner.next(snapshot -> {
            SchedulingPlan plan = new Scheduler().plan(snapshot);
            assertThat(PlanVerifier.verify(snapshot, plan)).isEmpty();
            return plan.decisions();
        });
        assertThat(cycle.run()).isNotEqualTo(Cycle.Outcome.FAILED);
    }

    private long asked() {
        return count(
                "select count(*) from job_event where why = 'reclaim' and to_state in ('CHECKPOINTING', 'STOPPING')"
                        + " and job_id in ("
                        + String.join(
                                ",", borrowed.stream().map(JobId::toString).toList()) + ")");
    }

    /** Who was asked has saved, left, and is back on what it left: the pool is as full as before. */
    private void everybodyStays() {
        for (JobId job : borrowed) {
            if (state(job) == JobState.CHECKPOINTING) {
                var attempt = new AttemptId(job, job(job).attempt());
                programs.reportCheckpoint(attempt, attempt(attempt).signal().id(), 7, "/ckpt/7", null);
                gone(attempt);
            }
        }
        for (JobId waiting : waitingOf(lender)) {
            String free = freeNode();
            if (free != null) {
                run(waiting, free);
                ground.submit(lender, user, Ground.document("lender", 1, 8));
            }
        }
        assertThat(reader.heldReplicas().read()).extracting(LedgerReplica::node).hasSize(5);
    }

    private List<JobId> waitingOf(TeamId of) {
        return jdbc.sql("select id from job where state = 'QUEUED' and team_id = :team order by id")
                .param("team", of.value())
                .query((row, n) -> new JobId(row.getLong(1)))
                .list();
    }

    private String freeNode() {
        return jdbc.sql("select id from node where id not in (select node from replica where released_at is null)"
                        + " and gone_at is null order by id limit 1")
                .query(String.class)
                .optional()
                .orElse(null);
    }
}
