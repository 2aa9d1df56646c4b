package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Resources;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout.Spot;
import io.muster.scheduling.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes with 4, 6, 8 and 1 free GPUs. */
class SeatsTest {
    private static final Draft DRAFT = new Draft(Problem.of(cluster()
            .rack(
                    "r1",
                    node("n1").gpus(4),
                    node("n2").gpus(6),
                    node("n3"),
                    node("n4").gpus(1))
            .team("a", guaranteed(16))
            .jobs(job(1))
            .snapshot()));

    private static String seats(int gpus, int replicas, int from, int to) {
        var kind = new Gang.Kind(Resources.gpus(gpus), replicas, null);
        var plane = DRAFT.room().future();
        return Seats.of(0, kind, replicas, from, to, n -> plane.count(n, kind.each(), replicas), plane).stream()
                .map(SeatsTest::text)
                .collect(Collectors.joining(" "));
    }

    private static String text(Spot spot) {
        return spot.node() + "x" + spot.count();
    }

    @Test
    void theNodesWithTheMostRoomAreFilledFirstAndListedInTheirOrder() {
        assertThat(seats(2, 4, 0, 4)).isEqualTo("2x4");
        assertThat(seats(2, 5, 0, 4)).isEqualTo("1x1 2x4");
        assertThat(seats(2, 9, 0, 4)).isEqualTo("0x2 1x3 2x4");
    }

    @Test
    void ofEqualNodesTheFirstIsTaken() {
        assertThat(seats(4, 2, 0, 3)).isEqualTo("2x2");
        assertThat(seats(4, 1, 0, 2)).isEqualTo("0x1");
        assertThat(seats(3, 4, 0, 3)).isEqualTo("1x2 2x2");
    }

    @Test
    void onlyNodesOfTheRangeThatHoldAReplicaAreUsed() {
        assertThat(seats(1, 20, 0, 2)).isEqualTo("0x4 1x6");
        assertThat(seats(1, 20, 3, 4)).isEqualTo("3x1");
        assertThat(seats(2, 20, 3, 4)).isEmpty();
        assertThat(List.of(seats(8, 1, 0, 4))).containsExactly("2x1");
    }
}
