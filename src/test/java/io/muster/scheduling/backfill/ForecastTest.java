package io.muster.scheduling.backfill;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Quota;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When job 1 could start, and what would delay it though GPUs are free. */
class ForecastTest {
    /** A job that runs since an hour and ends so many minutes from now. */
    private static Job ending(long id, int minutes) {
        return job(id).walltime(Duration.ofMinutes(60 + minutes));
    }

    private static @Nullable Duration startsIn(Cluster cluster) {
        var draft = new Draft(Problem.of(cluster.snapshot()));
        var claimant = draft.problem().claimant(new JobId(1));
        var start = new Forecast(draft).earliest(claimant, claimant.options().getFirst(), LevelWish.ANYWHERE);
        return start == null ? null : Duration.between(NOW, start.at());
    }

    private static Duration minutes(int count) {
        return Duration.ofMinutes(count);
    }

    @Test
    void aTeamAtItsLimitWaitsForAJobOfItsOwnToEnd() {
        var base = cluster().rack("r1", nodes("n", 3)).team("b");
        base.team("a", guaranteed(8).limit(8))
                .jobs(
                        ending(8, 30).team("b").gpus(4).on("n2"),
                        ending(9, 60).gpus(4).on("n1"));
        assertThat(startsIn(base.jobs(job(1).gpus(8)))).isEqualTo(minutes(60));
    }

    @Test
    void aTeamAboveThatHasItsShareWaitsToo() {
        var base = cluster().rack("r1", nodes("n", 4)).team("b", guaranteed(24)).team("r", guaranteed(8));
        base.team("r/a", guaranteed(8))
                .team("r/c")
                .jobs(
                        ending(7, 20).team("b").gpus(8).on("n1"),
                        ending(8, 200).team("b").gpus(8).on("n2"),
                        job(6).team("b").gpus(8),
                        ending(9, 60).team("r/c").gpus(4).on("n3"));
        assertThat(startsIn(base.jobs(job(1).team("r/a").gpus(8)))).isEqualTo(minutes(60));
    }

    @Test
    void aUserAtTheCapWaitsForAJobOfItsOwnToEnd() {
        var base = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .userCap("a", 8)
                .jobs(
                        ending(8, 30).user("v").gpus(4).on("n2"),
                        ending(9, 60).gpus(4).on("n1"));
        assertThat(startsIn(base.jobs(job(1).gpus(8)))).isEqualTo(minutes(60));
    }

    @Test
    void whoCannotYieldWaitsUntilTheGuaranteeIsFreeOfOthersLikeIt() {
        var base = cluster()
                .rack("r1", nodes("n", 5))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .jobs(
                        ending(6, 10).team("b").gpus(4).notPreemptible().on("n4"),
                        ending(8, 30).gpus(4).on("n2"),
                        ending(9, 60).gpus(4).notPreemptible().on("n1"));
        assertThat(startsIn(base.jobs(job(1).gpus(8).notPreemptible()))).isEqualTo(minutes(60));
    }

    @Test
    void whoYieldsAnywayCountsAsGone() {
        var base = cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(8).limit(8));
        assertThat(startsIn(base.jobs(ending(9, 60).gpus(8).on("n1").backfilled(), job(1).gpus(8))))
                .isEqualTo(Duration.ZERO);
    }

    @Test
    void whoYieldsInAnotherPoolLeavesTheShareInThisOneAsItIs() {
        var base = cluster()
                .pool("gpu", "rack", "node")
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).limit(8))
                .pool("other", "rack", "node")
                .rack("r2", nodes("m", 1))
                .jobs(
                        ending(8, 60).pools("other").gpus(8).on("m1").backfilled(),
                        ending(9, 30).pools("gpu").gpus(4).on("n1"),
                        job(1).pools("gpu").gpus(8));
        assertThat(startsIn(base)).isEqualTo(minutes(30));
    }

    @Test
    void noEndOfAnybodyHelpsWhoAsksForMoreThanItsLimit() {
        var base = cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(8).limit(8));
        assertThat(startsIn(base.jobs(job(1).replicas(2).gpus(8)))).isNull();
    }

    /** Whether a start of job 2 takes the share that job 1, the head, is to have in an hour. */
    private static boolean takesShareOfHead(Cluster cluster) {
        var draft = new Draft(Problem.of(cluster.snapshot()));
        var head = draft.problem().claimant(new JobId(1));
        draft.heads().add(new Head(head, head.pool(), NOW.plus(minutes(60)), List.of()));
        var claimant = draft.problem().claimant(new JobId(2));
        return HeadShare.isTakenBy(claimant, draft, claimant.pool());
    }

    private static Cluster twoTeams(Quota a) {
        return cluster().rack("r1", nodes("n", 3)).team("a", a).team("b", guaranteed(8));
    }

    @Test
    void aJobOfTheHeadsTeamMayTakeWhatTheHeadLeavesOfTheShare() {
        var base = twoTeams(guaranteed(12).limit(12)).jobs(job(1).gpus(8));
        assertThat(takesShareOfHead(base.jobs(job(2).gpus(4)))).isFalse();
        assertThat(takesShareOfHead(twoTeams(guaranteed(12).limit(12)).jobs(job(1).gpus(8), job(2).gpus(5))))
                .isTrue();
        assertThat(takesShareOfHead(twoTeams(guaranteed(12).limit(12))
                        .jobs(job(9).gpus(1).on("n1"), job(1).gpus(8), job(2).gpus(4))))
                .isTrue();
    }

    @Test
    void aJobOfAnotherTeamTakesNothingOfTheHeadsShare() {
        assertThat(takesShareOfHead(twoTeams(guaranteed(8).limit(8))
                        .jobs(job(1).gpus(8), job(2).team("b").gpus(8))))
                .isFalse();
    }

    @Test
    void aJobOfATeamBesideTheHeadsTakesTheShareOfTheOneAboveBoth() {
        var teams = cluster().rack("r1", nodes("n", 3)).team("r", guaranteed(8).limit(8));
        teams.team("r/a").team("r/b");
        assertThat(takesShareOfHead(teams.jobs(
                        job(1).team("r/a").gpus(8), job(2).team("r/b").gpus(1))))
                .isTrue();
    }

    @Test
    void aHeadOfAnotherPoolIsNotDelayed() {
        var base = cluster()
                .pool("gpu", "rack", "node")
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8).limit(8))
                .pool("other", "rack", "node")
                .rack("r2", nodes("m", 1))
                .jobs(job(1).pools("gpu").gpus(8), job(2).pools("other").gpus(1));
        assertThat(takesShareOfHead(base)).isFalse();
    }
}
