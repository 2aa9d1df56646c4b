package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Story 2: a gang starts whole or not at all. */
abstract class GangStory {
    /** A lab with so many GPUs, eight to a node. */
    abstract World world(int gpus);

    @Test
    void aGangWaitsWholeWithFourGpusMissingAndStartsWithAllItsReplicas() {
        try (var world = world(32)) {
            var lab = lab(world);
            var small = lab.job("a").gang(1, 4).submit();
            running(lab, small);

            var gang = lab.job("a").gang(4, 8).trains("3m").submit();
            explained(lab, gang);
            var reason = lab.reason(gang);
            assertThat(reason.toString()).as("who holds the rest").contains("\"job\":" + small);
            assertThat(reason.at("/sentence").asString()).isNotBlank();

            ends(lab, small);
            running(lab, gang);
            assertThat(lab.nodes(gang)).hasSize(4).doesNotHaveDuplicates();
            lab.await("it ends", () -> lab.state(gang).equals("SUCCEEDED"));
        }
    }

    @Test
    void aGangOfTheWholeFleetWaitsWholeWhileFourGpusAreTaken() {
        try (var world = world(64)) {
            var lab = lab(world);
            var small = lab.job("a").gang(1, 4).submit();
            running(lab, small);

            var gang = lab.job("a").gang(8, 8).trains("2m").submit();
            explained(lab, gang);

            ends(lab, small);
            running(lab, gang);
            assertThat(lab.nodes(gang)).hasSize(8).doesNotHaveDuplicates();
        }
    }

    @Test
    void ofTwoGangsThatFitOnlyOneByOneNoneHoldsHalf() {
        try (var world = world(48)) {
            var lab = lab(world);
            var both = lab.job("a").gang(4, 8).submit(2);

            lab.await("one runs", () -> lab.states(both).contains("RUNNING"));
            assertThat(lab.allocated("a")).as("the other holds nothing").isEqualTo(32);
            var first = both.get(lab.states(both).indexOf("RUNNING"));
            var second = both.get(1 - both.indexOf(first));
            explained(lab, second);
            ends(lab, first);
            running(lab, second);
            assertThat(lab.allocated("a")).isEqualTo(32);
        }
    }

    private static Lab lab(World world) {
        return world.lab().team("a").quota("a", Fleets.POOL, 16);
    }

    private static void ends(Lab lab, long job) {
        lab.as("a").post("/jobs/" + job + "/cancel", Map.of());
    }

    private static void running(Lab lab, long job) {
        lab.await("job " + job + " runs", () -> lab.state(job).equals("RUNNING"));
    }

    /** It waits, and the cycle has said why. */
    private static void explained(Lab lab, long gang) {
        lab.await(
                "the gang's reason is known",
                () -> !Set.of("", "not-yet-planned").contains(lab.reasonKind(gang)));
        assertThat(lab.state(gang)).isEqualTo("QUEUED");
    }
}
