package io.muster.scheduling.placement;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.placement.Site.site;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.Resources;
import org.junit.jupiter.api.Test;

class RoomTest {
    private static final Resources FOUR = new Resources(4, 32_000, 4_000);
    private static final Resources TWO = new Resources(2, 16_000, 2_000);
    private static final Resources ONE = new Resources(1, 8_000, 1_000);

    private final Room room =
            site(cluster().rack("r1", node("n1").gpus(8).cpus(64).memory(8_000))).room;

    private static Resources free(int gpus) {
        return ONE.times(gpus);
    }

    @Test
    void whoLeavesHoldsItsNodeNowAndCountsForWhatComesAfter() {
        room.occupy(0, FOUR);
        assertThat(room.now().at(0)).isEqualTo(free(4));
        room.leave(0, FOUR);
        assertThat(room.now().at(0)).isEqualTo(free(4));
        assertThat(room.present().at(0)).isEqualTo(free(4));
        assertThat(room.future().at(0)).isEqualTo(free(8));
        room.spare(0, FOUR);
        assertThat(room.future().at(0)).isEqualTo(free(4));
    }

    @Test
    void whoHasASeatToBeginWithHoldsItsNodeAndWhoLeavesOnlyForNow() {
        var taken = new Room(room.fleet(), seats -> {
            seats.occupy(0, FOUR);
            seats.occupyLeaving(0, TWO);
        });
        assertThat(taken.now().at(0)).isEqualTo(free(2));
        assertThat(taken.strict().at(0)).isEqualTo(free(2));
        assertThat(taken.future().at(0)).isEqualTo(free(4));
        assertThat(taken.freeStrictly(room.fleet().partitions().getFirst())).isEqualTo(2);
    }

    @Test
    void whatAStartTookIsFreeAgainWhenItGoesElsewhere() {
        room.occupy(0, FOUR);
        room.vacate(0, FOUR);
        assertThat(room.now().at(0)).isEqualTo(free(8));
        assertThat(room.future().at(0)).isEqualTo(free(8));
    }

    @Test
    void whatVictimsFreeIsKeptForTheirBeneficiary() {
        room.occupy(0, FOUR);
        room.leave(0, FOUR);
        room.promise(0, FOUR);
        assertThat(room.promised(0)).isEqualTo(FOUR);
        assertThat(room.future().at(0)).isEqualTo(free(4));
        assertThat(room.present().at(0)).isEqualTo(free(4));
        room.release(0, TWO);
        assertThat(room.promised(0)).isEqualTo(TWO);
        assertThat(room.future().at(0)).isEqualTo(free(6));
    }

    @Test
    void whatIsKeptForAJobThatMovesHereIsNobodyElses() {
        room.hold(0, FOUR);
        assertThat(room.promised(0)).isEqualTo(FOUR);
        assertThat(room.present().at(0)).isEqualTo(free(4));
        assertThat(room.future().at(0)).isEqualTo(free(4));
        room.unhold(0, TWO);
        assertThat(room.promised(0)).isEqualTo(TWO);
        assertThat(room.present().at(0)).isEqualTo(free(6));
        assertThat(room.future().at(0)).isEqualTo(free(6));
    }

    @Test
    void othersLeaveAHeadWhatItHasReserved() {
        room.reserveForHeads(0, FOUR, TWO);
        assertThat(room.now().at(0)).isEqualTo(free(8));
        assertThat(room.strict().at(0)).isEqualTo(TWO);
        assertThat(room.futureStrict().at(0)).isEqualTo(free(4));
        room.reserveForHeads(0, Resources.NONE, Resources.NONE);
        assertThat(room.strict().at(0)).isEqualTo(free(8));
        assertThat(room.futureStrict().at(0)).isEqualTo(free(8));
    }

    @Test
    void whoRunsBeyondTheHeadsTimeUsesUpWhatOthersMayTake() {
        room.useUpCap(0, ONE);
        for (var held : new Resources[] {
            Resources.gpus(4), new Resources(0, 32_000, 0), new Resources(0, 0, 4_000),
        }) {
            room.reserveForHeads(0, held, TWO);
            assertThat(room.strict().at(0)).isEqualTo(TWO);
            room.useUpCap(0, ONE);
            assertThat(room.strict().at(0)).as("held " + held).isEqualTo(ONE);
        }
    }

    @Test
    void aTrialUndoesItself() {
        room.reserveForHeads(0, FOUR, FOUR);
        try (var trial = room.trial()) {
            room.occupy(0, TWO);
            room.useUpCap(0, TWO);
            room.leave(0, ONE);
            assertThat(room.strict().at(0)).isEqualTo(TWO);
            assertThatThrownBy(room::trial).isInstanceOf(IllegalStateException.class);
        }
        assertThat(room.strict().at(0)).isEqualTo(FOUR);
        assertThat(room.present().at(0)).isEqualTo(free(8));
        assertThat(room.future().at(0)).isEqualTo(free(8));
    }

    @Test
    void everyChangeIsANewVersion() {
        long before = room.version();
        room.occupy(0, ONE);
        assertThat(room.version()).isGreaterThan(before);
    }

    @Test
    void aTrialThatUndidItselfLeavesTheVersionButNoneOfItsOwnComesAgain() {
        long before = room.version();
        long within;
        try (var trial = room.trial()) {
            room.occupy(0, ONE);
            within = room.version();
        }
        assertThat(room.version()).isEqualTo(before);
        room.occupy(0, ONE);
        assertThat(room.version()).isNotEqualTo(before).isNotEqualTo(within);
    }

    @Test
    void whatIsReservedDuringATrialStays() {
        long before = room.version();
        try (var trial = room.trial()) {
            room.reserveForHeads(0, FOUR, FOUR);
        }
        assertThat(room.version()).isNotEqualTo(before);
        assertThat(room.strict().at(0)).isEqualTo(FOUR);
    }

    @Test
    void aNodeIsWholeWhileNoneOfItsGpusIsUsed() {
        assertThat(room.isWhole(room.now(), 0)).isTrue();
        room.occupy(0, new Resources(0, 8_000, 0));
        assertThat(room.isWhole(room.now(), 0)).isTrue();
        room.occupy(0, ONE);
        assertThat(room.isWhole(room.now(), 0)).isFalse();
    }

    @Test
    void nothingIsGivenAwayTwice() {
        var plane = room.now();
        room.occupy(0, FOUR);
        assertThat(plane.isCoveredWithout(0, FOUR)).isTrue();
        assertThat(plane.isCoveredWithout(0, new Resources(5, 0, 0))).isFalse();
        assertThat(plane.isCoveredWithout(0, new Resources(0, 32_001, 0))).isFalse();
        assertThat(plane.isCoveredWithout(0, new Resources(0, 0, 4_001))).isFalse();
        room.occupy(0, FOUR);
        assertThat(plane.isCovered(0)).isTrue();
        assertThat(covered(new Resources(1, 0, 0))).isFalse();
        assertThat(covered(new Resources(0, 1, 0))).isFalse();
        assertThat(covered(new Resources(0, 0, 1))).isFalse();
    }

    private boolean covered(Resources more) {
        try (var trial = room.trial()) {
            room.occupy(0, more);
            return room.now().isCovered(0);
        }
    }

    @Test
    void whatIsNotAskedForCannotBeShort() {
        room.occupy(0, new Resources(9, 70_000, 9_000));
        var plane = room.now();
        assertThat(plane.fits(0, Resources.NONE)).isTrue();
        assertThat(plane.fits(0, new Resources(1, 0, 0))).isFalse();
        assertThat(plane.fits(0, new Resources(0, 1, 0))).isFalse();
        assertThat(plane.fits(0, new Resources(0, 0, 1))).isFalse();
        room.vacate(0, new Resources(9, 70_000, 9_000));
        assertThat(plane.fits(0, free(8))).isTrue();
        assertThat(plane.fits(0, free(8).plus(new Resources(0, 1, 0)))).isFalse();
        assertThat(plane.fits(0, free(8).plus(new Resources(0, 0, 1)))).isFalse();
    }

    @Test
    void theScarcestOfANodesGoodsSaysHowManyReplicasFit() {
        var plane = room.now();
        assertThat(plane.count(0, new Resources(3, 0, 0), 9)).isEqualTo(2);
        assertThat(plane.count(0, new Resources(1, 20_000, 0), 9)).isEqualTo(3);
        assertThat(plane.count(0, new Resources(1, 1_000, 2_000), 9)).isEqualTo(4);
        assertThat(plane.count(0, new Resources(1, 0, 0), 5)).isEqualTo(5);
        assertThat(plane.count(0, new Resources(9, 0, 0), 5)).isZero();
    }

    @Test
    void aCopyIsItsOwn() {
        var copy = room.now().copy();
        assertThat(copy.at(0)).isEqualTo(free(8));
        copy.add(0, ONE);
        copy.subtract(0, FOUR);
        assertThat(copy.at(0)).isEqualTo(free(5));
        assertThat(room.now().at(0)).isEqualTo(free(8));
    }

    @Test
    void emptyIsWhatForeignPodsLeave() {
        var site = site(cluster().rack("r1", node("n1").foreign(3), node("n2"))).holds("n2", 4);
        assertThat(site.room.empty().gpus(0)).isEqualTo(5);
        assertThat(site.room.empty().gpus(1)).isEqualTo(8);
    }

    @Test
    void theIndexForgetsWhereANodeWas() {
        var site = site(cluster().rack("r1", nodes("n", 2)));
        var index = site.room.index();
        assertThat(index.next(true, 8, 0)).isZero();
        site.holds("n1", 8);
        assertThat(index.next(true, 8, 0)).isEqualTo(1);
        assertThat(index.next(false, 0, 0)).isZero();
        site.room.vacate(0, Resources.gpus(3));
        assertThat(index.next(false, 0, 0)).isEqualTo(-1);
        assertThat(index.next(false, 3, 0)).isZero();
        assertThat(site.nodesOf(job(1).gpus(3))).containsExactly("n1");
    }
}
