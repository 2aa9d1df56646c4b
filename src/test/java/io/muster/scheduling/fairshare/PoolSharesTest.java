package io.muster.scheduling.fairshare;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.fairshare.Shares.split;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Ids;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolSharesTest {

    @Test
    void promisesAreScaledDownLevelByLevel() {
        var shares = split(
                8,
                cluster().team("r", guaranteed(16)).team("r/a", guaranteed(8)).team("r/b", guaranteed(4)),
                Map.of());
        assertThat(shares.guaranteed("r")).isEqualTo(8);
        assertThat(shares.guaranteed("r/a")).isEqualTo(5);
        assertThat(shares.guaranteed("r/b")).isEqualTo(3);
    }

    @Test
    void aTeamWithoutAQuotaPromisesWhatTheTeamsBelowItWerePromised() {
        var shares = split(
                20,
                cluster()
                        .team("r")
                        .team("r/a", guaranteed(4))
                        .team("r/b", guaranteed(2))
                        .team("s", guaranteed(3))
                        .team("s/a", guaranteed(4)),
                Map.of());
        assertThat(shares.guaranteed("r")).isEqualTo(6);
        assertThat(shares.guaranteed("s")).isEqualTo(3);
        assertThat(shares.guaranteed("s/a")).isEqualTo(3);
    }

    @Test
    void whatATeamBelowKeepsForItselfIsKeptFromEverybodyOutside() {
        var shares = split(
                16,
                cluster()
                        .team("b")
                        .team("r", guaranteed(8))
                        .team("r/a", guaranteed(8).lendable(2)),
                Map.of("b", 16));
        assertThat(shares.withheld("r/a")).isEqualTo(6);
        assertThat(shares.withheld("r")).isEqualTo(6);
        assertThat(shares.deserved("b")).isEqualTo(10);
    }

    @Test
    void aGuaranteeThatIsWantedIsNotKeptFromAnybodyOutside() {
        var shares = split(
                16,
                cluster()
                        .team("r", guaranteed(8))
                        .team("r/a", guaranteed(6).lendable(0))
                        .team("r/b"),
                Map.of("r/b", 8));
        assertThat(shares.withheld("r/a")).isEqualTo(6);
        assertThat(shares.withheld("r")).isZero();
    }

    @Test
    void nobodyIsLentWhatTeamsBesideItsPathKeep() {
        var shares = split(
                20,
                cluster()
                        .team("a", guaranteed(3).lendable(0))
                        .team("r", guaranteed(4))
                        .team("r/x", guaranteed(2).lendable(0))
                        .team("r/y"),
                Map.of("r/y", 20));
        assertThat(Standing.lentToday(shares.of(), shares.leaf("r/x"))).isEqualTo(20 - 3);
        assertThat(Standing.lentToday(shares.of(), shares.leaf("r/y"))).isEqualTo(20 - 3 - 2);
        shares.holds("r/y", 5, true);
        assertThat(Standing.lentToday(shares.of(), shares.leaf("r/y"))).isEqualTo(10);
    }

    @Test
    void whatEverybodyWouldGetIfAllWantedAllEndsAtTheLimit() {
        var shares = split(
                12,
                cluster()
                        .team("a", guaranteed(4).limit(6))
                        .team("r")
                        .team("r/x")
                        .team("r/y"),
                Map.of());
        assertThat(shares.entitlement("a")).isEqualTo(6);
        assertThat(shares.entitlement("r")).isEqualTo(6);
        assertThat(shares.entitlement("r/x")).isEqualTo(3);
        assertThat(shares.entitlement("r/y")).isEqualTo(3);
    }

    @Test
    void otherWishesAreSplitAnewOnEveryLevel() {
        var teams = cluster().team("a").team("r").team("r/x").team("r/y");
        var shares = split(12, teams, Map.of("a", 12));
        assertThat(shares.deserved("a")).isEqualTo(12);
        shares.of().want(Shares.wishes(shares.of().tree(), Map.of("a", 12, "r/x", 2, "r/y", 12)));
        assertThat(shares.deserved("a")).isEqualTo(6);
        assertThat(shares.deserved("r")).isEqualTo(6);
        assertThat(shares.deserved("r/x")).isEqualTo(2);
        assertThat(shares.deserved("r/y")).isEqualTo(4);
    }

    @Test
    void noTwoStatesOfTheSharesHaveTheSameVersion() {
        var shares = split(8, cluster().team("a"), Map.of("a", 8));
        long first = shares.of().version();
        shares.holds("a", 2, true);
        long second = shares.of().version();
        shares.of().want(new int[] {4});
        long third = shares.of().version();
        assertThat(first).isNotEqualTo(second).isNotEqualTo(third);
        assertThat(second).isNotEqualTo(third);
    }

    @Test
    void aHoldingCountsForEveryTeamAboveAndFirmlyOnlyWhenItCannotYield() {
        var shares = split(8, cluster().team("r").team("r/a"), Map.of())
                .holds("r/a", 3, true)
                .holds("r/a", 2, false)
                .holds("r/a", -1, true);
        assertThat(shares.of().total()).isEqualTo(4);
        assertThat(shares.of().allocated(shares.team("r"))).isEqualTo(4);
        assertThat(shares.of().firm(shares.team("r"))).isEqualTo(2);
        assertThat(shares.of().firm(shares.team("r/a"))).isEqualTo(2);
    }

    @Test
    void jobsOfAnInnerTeamItselfMayHoldFirmlyWhatItHasNotPromisedBelow() {
        var teams = cluster()
                .team("r", guaranteed(10))
                .team("r/a", guaranteed(4))
                .team("s", guaranteed(3))
                .team("s/a", guaranteed(3));
        var shares = split(20, teams, Map.of("r", 5, "s", 5));
        assertThat(shares.of().firmBound(shares.leaf("r"))).isEqualTo(6);
        assertThat(shares.of().firmBound(shares.leaf("r/a"))).isEqualTo(4);
        assertThat(shares.of().firmBound(shares.leaf("s"))).isZero();
    }

    @Test
    void aRowSaysWhatIsBorrowedFromWhomAndWhatTheSplitGave() {
        var shares = split(
                        16,
                        cluster().team("a", guaranteed(8).limit(14)).team("b", guaranteed(8)),
                        Map.of("a", 12, "b", 2))
                .holds("a", 12, true)
                .holds("b", 2, true);
        var a = shares.row("a");
        assertThat(a.limit()).isEqualTo(14);
        assertThat(a.borrowed()).isEqualTo(4);
        assertThat(a.lent()).isZero();
        assertThat(a.surplus()).isEqualTo(4);
        var b = shares.row("b");
        assertThat(b.limit()).isNull();
        assertThat(b.borrowed()).isZero();
        // Of the 6 that it leaves idle, 2 are simply free.
        assertThat(b.lent()).isEqualTo(4);
        assertThat(b.surplus()).isZero();
    }

    @Test
    void ownJobsOfAnInnerTeamHaveNoRowOfTheirOwn() {
        var shares = split(8, cluster().team("r").team("r/a"), Map.of("r", 2, "r/a", 2));
        assertThat(shares.of().tree().size()).isEqualTo(3);
        assertThat(shares.of().rows()).extracting(r -> r.team()).containsExactly(Ids.team("r"), Ids.team("r/a"));
    }
}
