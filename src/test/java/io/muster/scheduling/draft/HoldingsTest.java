package io.muster.scheduling.draft;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Problem;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What counts for teams, users and privileged classes. */
class HoldingsTest {
    private static Draft draft(Cluster cluster) {
        return new Draft(Problem.of(cluster.snapshot()));
    }

    private static Claimant claimant(Draft draft) {
        return Objects.requireNonNull(draft.problem().claimant(new JobId(1)));
    }

    private static Cluster production(int cap) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(11).production(cap).gpus(3).on("n1"),
                        job(12).gpus(2).on("n1"),
                        job(1).production(cap).gpus(2));
    }

    @Test
    void aPrivilegedClassHasWhatItsJobsHoldAndItsCapCountsTheClaim() {
        var draft = draft(production(5));
        assertThat(draft.holdings().heldByClass("production", 0)).isEqualTo(3);
        assertThat(draft.holdings().heldByClass("normal", 0)).isZero();
        assertThat(draft.holdings().isPrivileged(claimant(draft), 0)).isTrue();
        var full = draft(production(4));
        assertThat(full.holdings().isPrivileged(claimant(full), 0)).isFalse();
        var plain = draft(production(9).jobs(job(2).gpus(1)));
        var second = Objects.requireNonNull(plain.problem().claimant(new JobId(2)));
        assertThat(plain.holdings().isPrivileged(second, 0)).isFalse();
    }

    @Test
    void aClassHoldsLessWhenOneOfItsJobsLeaves() {
        var draft = draft(production(5));
        draft.holdings().count(Objects.requireNonNull(draft.problem().occupant(new JobId(11))), -1);
        assertThat(draft.holdings().heldByClass("production", 0)).isZero();
        assertThat(draft.shares(0).allocated(claimant(draft).leaf())).isEqualTo(2);
    }

    @Test
    void aUserAtItsCapMayNotStart() {
        var capped = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .userCap("a", 5)
                .jobs(job(11).gpus(3).on("n1"));
        var within = draft(capped.jobs(job(1).gpus(2)));
        assertThat(within.holdings().isUngated(claimant(within), 0)).isTrue();
        assertThat(within.holdings().mayStart(claimant(within), 0)).isTrue();
        var beyond = draft(cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .userCap("a", 5)
                .jobs(job(11).gpus(3).on("n1"), job(1).gpus(3)));
        assertThat(beyond.holdings().isUngated(claimant(beyond), 0)).isFalse();
        assertThat(beyond.holdings().mayStart(claimant(beyond), 0)).isFalse();
    }

    @Test
    void whoWantsSomethingElseIsReckonedAsIfItHadAlwaysBeenSo() {
        var draft = draft(
                cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(16)).jobs(job(1).gpus(4), job(2).gpus(1)));
        var job = claimant(draft);
        var other = Objects.requireNonNull(draft.problem().claimant(new JobId(2)));
        assertThat(draft.shares(0).deserved(job.leaf())).isEqualTo(5);
        draft.holdings().want(job, other);
        assertThat(draft.shares(0).deserved(job.leaf())).isEqualTo(2);
    }

    @Test
    void aJobOnItsWayToItsNextPlaceCountsThereOnly() {
        var draft = draft(cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(job(11).team("b").gpus(3).on("n1").leavingFor(1), job(1).gpus(2)));
        var leaving = Objects.requireNonNull(draft.problem().occupant(new JobId(11)));
        assertThat(draft.shares(0).allocated(leaving.leaf())).isZero();
        draft.holdings().countWhole(leaving);
        assertThat(draft.shares(0).allocated(leaving.leaf())).isEqualTo(3);
    }
}
