package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Ids.team;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Problem;
import org.junit.jupiter.api.Test;

/** What is counted as reclaimed below the teams b/x and b/y. */
class ReclaimedTest {
    private final TeamTree tree = Problem.of(cluster()
                    .rack("r1", nodes("n", 1))
                    .team("a")
                    .team("b")
                    .team("b/x")
                    .team("b/y")
                    .snapshot())
            .tree();
    private final Reclaimed reclaimed = new Reclaimed(tree);
    private final int b = tree.number(team("b"));
    private final int x = tree.leaf(team("b/x"));
    private final int y = tree.leaf(team("b/y"));

    private void take(int leaf, int gpus) {
        reclaimed.count(leaf, TeamTree.NO_PARENT, gpus, 1);
    }

    @Test
    void itCountsForTheTeamAndThoseAboveItBelowTheCommonOne() {
        take(x, 3);
        take(y, 2);
        assertThat(reclaimed.sum(x)).isEqualTo(3);
        assertThat(reclaimed.sum(y)).isEqualTo(2);
        assertThat(reclaimed.sum(b)).isEqualTo(5);
        reclaimed.count(x, b, 4, 1);
        assertThat(reclaimed.sum(x)).isEqualTo(7);
        assertThat(reclaimed.sum(b)).isEqualTo(5);
    }

    @Test
    void aSmallerOneMayComeBeforeTheLargestThatWasTaken() {
        assertThat(reclaimed.later(x, 1)).isZero();
        take(x, 3);
        take(x, 2);
        assertThat(reclaimed.later(x, 1)).isEqualTo(2);
        assertThat(reclaimed.later(x, 3)).isZero();
        assertThat(reclaimed.later(x, 4)).isZero();
        assertThat(reclaimed.later(y, 1)).isZero();
        reclaimed.count(x, TeamTree.NO_PARENT, 3, -1);
        assertThat(reclaimed.later(x, 1)).isEqualTo(1);
        assertThat(reclaimed.sum(x)).isEqualTo(2);
        reclaimed.count(x, TeamTree.NO_PARENT, 2, -1);
        assertThat(reclaimed.later(x, 1)).isZero();
    }

    @Test
    void veryLargeOnesCountAsSixtyThree() {
        take(x, 512);
        assertThat(reclaimed.sum(x)).isEqualTo(512);
        assertThat(reclaimed.later(x, 1)).isEqualTo(62);
        assertThat(reclaimed.later(x, 100)).isZero();
    }

    @Test
    void teamsThatRanOutAreToldOnce() {
        assertThat(reclaimed.thatRanOut().isEmpty()).isTrue();
        reclaimed.runsOut(x);
        assertThat(reclaimed.thatRanOut().stream()).containsExactly(x);
        assertThat(reclaimed.thatRanOut().isEmpty()).isTrue();
    }
}
