package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.build.Quota.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FairShareTest {

    private static Job[] wants(String team, int gpus) {
        long first = Math.abs(team.hashCode()) % 1_000 * 1_000L + 1;
        return LongStream.range(first, first + gpus)
                .mapToObj(id -> job(id).team(team))
                .toArray(Job[]::new);
    }

    @Test
    void idleGuaranteesAreDeservedByThoseWhoWantMore() {
        var planned = cluster()
                .rack("r1", nodes("n", 8))
                .team("a", guaranteed(20))
                .team("b", guaranteed(20))
                .team("c", guaranteed(20))
                .jobs(wants("a", 64))
                .plan();
        assertThat(planned.share("a").deserved()).isEqualTo(64);
        assertThat(planned.share("a").entitlement()).isEqualTo(22);
        assertThat(planned.share("a").borrowed()).isEqualTo(42);
        assertThat(planned.share("b").lent()).isEqualTo(21);
        assertThat(planned.started()).hasSize(64);
    }

    @Test
    void everyTeamGetsItsGuaranteeBeforeAnySurplusIsSplitByWeight() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", weighted(3))
                .team("c", weighted(1))
                .jobs(wants("a", 20))
                .jobs(wants("b", 40))
                .jobs(wants("c", 40))
                .plan();
        assertThat(planned.share("a").deserved()).isEqualTo(16 + 3);
        assertThat(planned.share("b").deserved()).isEqualTo(10);
        assertThat(planned.share("c").deserved()).isEqualTo(3);
        assertThat(planned.share("b").allocated()).isEqualTo(10);
    }

    @Test
    void whatATeamDoesNotLendIsUsedByNobody() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).lendable(2))
                .team("b", guaranteed(8))
                .jobs(wants("b", 16))
                .plan();
        assertThat(planned.share("a").withheld()).isEqualTo(6);
        assertThat(planned.started()).hasSize(10);
    }

    @Test
    void promisesBeyondTheFleetAreScaledDownInProportion() {
        // kueue#4782
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(32))
                .team("b", guaranteed(16))
                .jobs(wants("a", 40))
                .jobs(wants("b", 40))
                .plan();
        assertThat(planned.share("a").guaranteed()).isEqualTo(16);
        assertThat(planned.share("a").promised()).isEqualTo(32);
        assertThat(planned.share("b").guaranteed()).isEqualTo(8);
        assertThat(planned.share("a").allocated()).isEqualTo(16);
    }

    @Test
    void limitHoldsOnEveryLevel() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("r", guaranteed(8).limit(12))
                .team("r/a", guaranteed(4))
                .team("r/b", guaranteed(4))
                .jobs(wants("r/a", 20))
                .jobs(wants("r/b", 20))
                .plan();
        assertThat(planned.started()).hasSize(12);
        assertThat(planned.share("r").deserved()).isEqualTo(12);
        assertThat(planned.share("r/a").deserved()).isEqualTo(6);
        assertThat(planned.plan().explanations().getFirst().reasons().getFirst())
                .isInstanceOfSatisfying(
                        Reason.TeamLimit.class, r -> assertThat(r.limit()).isEqualTo(12));
    }

    @Test
    void ownJobsOfAnInnerTeamAreOneMoreChild() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("r")
                .team("r/a")
                .team("r/b")
                .jobs(wants("r", 24))
                .jobs(wants("r/a", 24))
                .jobs(wants("r/b", 24))
                .plan();
        assertThat(planned.share("r/a").allocated()).isEqualTo(8);
        assertThat(planned.share("r/b").allocated()).isEqualTo(8);
        assertThat(planned.share("r").allocated()).isEqualTo(24);
    }

    @Test
    void pastUseBendsTheSurplusButNeverAGuarantee() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(8).usage(1))
                .team("b", guaranteed(8))
                .jobs(wants("a", 40))
                .jobs(wants("b", 40))
                .plan();
        assertThat(planned.share("a").deserved()).isEqualTo(8 + 5);
        assertThat(planned.share("b").deserved()).isEqualTo(8 + 11);
    }

    @Test
    void usersOfATeamTakeTurnsWhateverTheAgeOfTheirJobs() {
        var base = cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(8));
        for (int i = 1; i <= 20; i++) {
            base.jobs(job(i).user("old").submitted(Duration.ofHours(5)));
        }
        for (int i = 21; i <= 24; i++) {
            base.jobs(job(i).user("new").submitted(Duration.ofMinutes(1)));
        }
        assertThat(base.plan().started()).contains(21L, 22L, 23L, 24L).hasSize(8);
    }

    @Test
    void userCapLeavesTheRestToOthers() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .userCap("a", 2)
                .jobs(job(1).gpus(2), job(2).gpus(1), job(3).gpus(4).user("v"))
                .plan();
        assertThat(planned.started()).containsExactly(1L);
        assertThat(planned.reason(2, Reason.UserLimit.class).limit()).isEqualTo(2);
        assertThat(planned.reasons(3)).startsWith("user-limit");
    }

    @Test
    void backoffAndImpossibleJobsAreNoDemand() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(job(1).gpus(4).backoff(Duration.ofMinutes(3)), job(2).gpus(9))
                .plan();
        assertThat(planned.share("a").demand()).isZero();
        assertThat(planned.reasons(1)).containsExactly("backoff");
        assertThat(planned.reason(2, Reason.NeverFits.class).largestGpus()).isEqualTo(8);
        assertThat(planned.explanation(1).place()).isZero();
    }

    @Test
    void jobsThatCannotYieldRunWithinTheGuaranteeOnly() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .jobs(job(1).gpus(3).notPreemptible(), job(2).gpus(2).notPreemptible(), job(3).gpus(4))
                .plan();
        assertThat(planned.started()).containsExactlyInAnyOrder(1L, 3L);
        assertThat(planned.reason(2, Reason.GuaranteeInUse.class).inUse()).isEqualTo(3);
    }

    @Test
    void aGuaranteeIsNotDeniedWhileOthersBorrowIt() {
        Cluster base =
                cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(4)).team("b", guaranteed(4));
        for (int i = 1; i <= 8; i++) {
            base.jobs(job(i).team("b").on("n1"));
        }
        var planned =
                base.jobs(job(11).team("a").gpus(2), job(12).team("a").gpus(2)).plan();
        assertThat(planned.victims()).hasSize(4);
        assertThat(planned.reserves()).hasSize(2);
    }
}
