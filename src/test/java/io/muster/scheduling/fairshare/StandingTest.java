package io.muster.scheduling.fairshare;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.fairshare.Shares.split;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.scheduling.snapshot.JobFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandingTest {
    private static final JobFacts YIELDING = job(1).team("a").facts(List.of("gpu"));
    private static final JobFacts FIRM = job(1).team("a").notPreemptible().facts(List.of("gpu"));

    private static Standing of(Shares shares, JobFacts job, int gpus, int userHeld) {
        return Standing.of(shares.of(), job, shares.leaf("a"), gpus, userHeld);
    }

    /** Both ways to ask agree. */
    private static boolean mayStart(Shares shares, JobFacts job, int gpus) {
        boolean may = Standing.mayStart(shares.of(), job, shares.leaf("a"), gpus, 0);
        assertThat(of(shares, job, gpus, 0).mayStart(shares.of(), job, shares.leaf("a"), gpus))
                .isEqualTo(may);
        return may;
    }

    private static boolean couldFit(Shares shares, JobFacts job, int gpus) {
        return Standing.couldFit(shares.of(), job, shares.leaf("a"), gpus);
    }

    private static boolean isPromised(Shares shares, JobFacts job, int gpus) {
        return Standing.isPromised(shares.of(), job, shares.leaf("a"), gpus);
    }

    @Test
    void aClaimWithinTheShareMayStartAlsoWhenNothingIsLent() {
        var shares = split(8, cluster().team("a", guaranteed(4)).team("b"), Map.of("a", 4, "b", 8))
                .holds("b", 8, true);
        assertThat(of(shares, YIELDING, 4, 0).within()).isTrue();
        assertThat(mayStart(shares, YIELDING, 4)).isTrue();
        assertThat(mayStart(shares, FIRM, 4)).isTrue();
        assertThat(mayStart(shares, YIELDING, 5)).isFalse();
    }

    @Test
    void onlyWhoYieldsMayBorrowAndNotMoreThanIsLent() {
        var shares = split(
                8, cluster().team("a", guaranteed(8)).team("b", guaranteed(2).lendable(0)), Map.of());
        assertThat(shares.guaranteed("a")).isEqualTo(6);
        // Its job counts elsewhere, so it deserves its guarantee and no more here.
        shares.holds("a", 5, true);
        assertThat(mayStart(shares, YIELDING, 1)).isTrue();
        assertThat(mayStart(shares, YIELDING, 2)).isFalse();

        var roomy = split(8, cluster().team("a").team("b", guaranteed(2).lendable(0)), Map.of());
        assertThat(of(roomy, YIELDING, 6, 0).within()).isFalse();
        assertThat(mayStart(roomy, YIELDING, 6)).isTrue();
        assertThat(mayStart(roomy, YIELDING, 7)).isFalse();
        assertThat(mayStart(roomy, FIRM, 1)).isFalse();
    }

    @Test
    void aShareIsKeptOnEveryLevelBelowTheTop() {
        var shares =
                split(8, cluster().team("r").team("r/a").team("r/b").team("s"), Map.of("r/a", 4, "r/b", 4, "s", 4));
        int leaf = shares.leaf("r/a");
        assertThat(shares.deserved("r")).isEqualTo(4);
        shares.holds("r/b", 3, true);
        assertThat(Standing.within(shares.of(), leaf, 1, TeamTree.NO_PARENT)).isTrue();
        assertThat(Standing.within(shares.of(), leaf, 2, TeamTree.NO_PARENT)).isFalse();
        assertThat(Standing.within(shares.of(), leaf, 2, shares.team("r"))).isTrue();
        assertThat(Standing.within(shares.of(), leaf, 3, shares.team("r"))).isFalse();
    }

    @Test
    void aGuaranteeIsDeservedEvenWhenTheDemandCountsInAnotherPool() {
        var shares = split(8, cluster().team("a", guaranteed(4)), Map.of());
        assertThat(shares.deserved("a")).isZero();
        assertThat(of(shares, YIELDING, 4, 0)).isEqualTo(new Standing(true, true, null));
        assertThat(of(shares, YIELDING, 5, 0)).isEqualTo(new Standing(false, false, null));
    }

    @Test
    void theLimitThatForbidsIsNamedAlsoOfATeamAbove() {
        var shares = split(
                        8,
                        cluster()
                                .team("r", guaranteed(0).limit(5))
                                .team("r/a", guaranteed(0).limit(4)),
                        Map.of())
                .holds("r/a", 1, true);
        int leaf = shares.leaf("r/a");
        assertThat(Standing.of(shares.of(), YIELDING, leaf, 3, 0).gate()).isNull();
        assertThat(Standing.of(shares.of(), YIELDING, leaf, 4, 0).gate())
                .isInstanceOfSatisfying(Reason.TeamLimit.class, r -> {
                    assertThat(r.limit()).isEqualTo(4);
                    assertThat(r.inUse()).isEqualTo(1);
                });
        shares.of().count(shares.team("r"), 2, true);
        assertThat(Standing.of(shares.of(), YIELDING, leaf, 2, 0).gate()).isNull();
        assertThat(Standing.of(shares.of(), YIELDING, leaf, 3, 0).gate())
                .isInstanceOfSatisfying(
                        Reason.TeamLimit.class, r -> assertThat(r.limit()).isEqualTo(5));
    }

    @Test
    void aUserMayReachTheCapAndNotPassIt() {
        var shares = split(8, cluster().team("a", guaranteed(8)).userCap("a", 3), Map.of());
        assertThat(of(shares, YIELDING, 2, 1).gate()).isNull();
        assertThat(Standing.isUngated(shares.of(), YIELDING, shares.leaf("a"), 2, 1))
                .isTrue();
        assertThat(of(shares, YIELDING, 2, 2).gate()).isInstanceOf(Reason.UserLimit.class);
        assertThat(Standing.isUngated(shares.of(), YIELDING, shares.leaf("a"), 2, 2))
                .isFalse();
    }

    @Test
    void whoCannotYieldMayFillTheGuaranteeAndNotPassIt() {
        var shares =
                split(8, cluster().team("a", guaranteed(4)), Map.of("a", 8)).holds("a", 3, false);
        assertThat(of(shares, FIRM, 1, 0).gate()).isNull();
        assertThat(mayStart(shares, FIRM, 1)).isTrue();
        assertThat(of(shares, FIRM, 2, 0).gate()).isInstanceOf(Reason.GuaranteeInUse.class);
        assertThat(mayStart(shares, FIRM, 2)).isFalse();
        assertThat(of(shares, YIELDING, 2, 0).gate()).isNull();
        assertThat(mayStart(shares, YIELDING, 2)).isTrue();
    }

    @Test
    void aClaimCouldFitOnceItsTeamHoldsNothing() {
        var teams = cluster().team("a", guaranteed(4)).team("b");
        var shares = split(12, teams, Map.of("a", 8, "b", 8)).holds("a", 8, true);
        assertThat(shares.deserved("a")).isEqualTo(8);
        assertThat(couldFit(shares, YIELDING, 8)).isTrue();
        assertThat(couldFit(shares, YIELDING, 9)).isFalse();
        assertThat(couldFit(shares, FIRM, 4)).isTrue();
        assertThat(couldFit(shares, FIRM, 5)).isFalse();
    }

    @Test
    void aClaimAboveALimitCouldNeverFit() {
        var shares = split(12, cluster().team("a", guaranteed(8).limit(6)), Map.of("a", 12));
        assertThat(couldFit(shares, YIELDING, 6)).isTrue();
        assertThat(couldFit(shares, YIELDING, 7)).isFalse();
        assertThat(isPromised(shares, YIELDING, 6)).isTrue();
        assertThat(isPromised(shares, YIELDING, 7)).isFalse();
    }

    @Test
    void aClaimAboveTheCapOfAUserCouldNeverFit() {
        var shares = split(12, cluster().team("a", guaranteed(8)).userCap("a", 2), Map.of("a", 12));
        assertThat(couldFit(shares, YIELDING, 2)).isTrue();
        assertThat(couldFit(shares, YIELDING, 3)).isFalse();
        assertThat(isPromised(shares, YIELDING, 2)).isTrue();
        assertThat(isPromised(shares, YIELDING, 3)).isFalse();
    }

    @Test
    void whatEverybodyWouldGetIsPromisedAlsoWhileOthersWantLess() {
        var shares = split(8, cluster().team("a").team("b"), Map.of("b", 2));
        assertThat(shares.deserved("a")).isZero();
        assertThat(shares.entitlement("a")).isEqualTo(4);
        assertThat(isPromised(shares, YIELDING, 4)).isTrue();
        assertThat(isPromised(shares, YIELDING, 5)).isFalse();
        assertThat(isPromised(shares, FIRM, 1)).isFalse();
    }

    @Test
    void whatIsDeservedTodayIsPromisedAlsoBeyondWhatEverybodyWouldGet() {
        var shares = split(8, cluster().team("a").team("b"), Map.of("a", 7));
        assertThat(isPromised(shares, YIELDING, 7)).isTrue();
        assertThat(isPromised(shares, YIELDING, 8)).isFalse();
    }
}
