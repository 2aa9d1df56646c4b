package io.muster.scheduling.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.GroupShape;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizesTest {
    private static final Resources ONE = Resources.gpus(1);
    private static final List<GroupShape> GROUPS =
            List.of(new GroupShape("server", 4, 2, ONE), new GroupShape("worker", 10, 4, ONE));

    @Test
    void groupsGrowInProportionFromTheirFewestToAll() {
        assertThat(Sizes.spare(GROUPS)).isEqualTo(8);
        assertThat(Sizes.of(GROUPS, 0)).containsExactly(2, 4);
        assertThat(Sizes.of(GROUPS, 4)).containsExactly(3, 7);
        assertThat(Sizes.of(GROUPS, 8)).containsExactly(4, 10);
    }

    @Test
    void aLargerSizeHasNoFewerReplicasOfAnyGroup() {
        for (int more = 1; more <= 8; more++) {
            var less = Sizes.of(GROUPS, more - 1);
            var counts = Sizes.of(GROUPS, more);
            assertThat(counts.get(0) + counts.get(1)).isEqualTo(6 + more);
            assertThat(counts.get(0)).isGreaterThanOrEqualTo(less.get(0));
            assertThat(counts.get(1)).isGreaterThanOrEqualTo(less.get(1));
        }
    }

    @Test
    void placementsAreASizeOnlyBetweenFewestAndAll() {
        assertThat(Sizes.among(GROUPS, placements(3, 5))).containsExactly(3, 5);
        assertThat(Sizes.among(GROUPS, placements(1, 5))).isNull();
        assertThat(Sizes.among(GROUPS, placements(2, 11))).isNull();
    }

    private static List<ReplicaPlacement> placements(int servers, int workers) {
        var placements = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < servers; i++) {
            placements.add(new ReplicaPlacement("server", i, new NodeId("n"), ONE));
        }
        for (int i = 0; i < workers; i++) {
            placements.add(new ReplicaPlacement("worker", i, new NodeId("n"), ONE));
        }
        return placements;
    }
}
