package io.muster.scheduling.moves;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Job 11 leaves n1 for job 1: where it goes. */
class WhereToTest {
    private static Job mover(int gpus) {
        return job(11).team("crowd").gpus(gpus).on("n1").checkpointed(Duration.ofMinutes(1));
    }

    private static Job firm(long id, int gpus, String node) {
        return job(id).team("crowd").gpus(gpus).on(node).notPreemptible();
    }

    private static List<String> movesTo(Planned planned) {
        return planned.reserves().stream()
                .filter(r -> r.kind() == Decision.Reserve.Kind.MOVE)
                .flatMap(r -> r.placements().stream())
                .map(p -> p.node().value())
                .toList();
    }

    /** Four GPUs are free on the small node: the tightest place, unless it is kept for the island. */
    private static Cluster three(Cluster teams, Job mover) {
        return teams.rack("r1", node("n1"), node("n2"), node("n3").gpus(5))
                .jobs(
                        mover,
                        firm(12, 3, "n2"),
                        firm(13, 1, "n3"),
                        job(1).team("crowd").gpus(8));
    }

    private static Cluster plain() {
        return cluster().team("island", guaranteed(4)).team("crowd", guaranteed(16));
    }

    private static Cluster shaped() {
        return cluster().team("island", guaranteed(4).shape(1, "node", 4)).team("crowd", guaranteed(16));
    }

    @Test
    void itGoesWhereItFitsBestButNotWhereSomethingIsKeptForAShapeOfOthers() {
        assertThat(movesTo(three(plain(), mover(2)).plan())).containsExactly("n3");
        assertThat(movesTo(three(shaped(), mover(2)).plan())).containsExactly("n2");
    }

    @Test
    void itGoesToWhatIsKeptRatherThanNotAtAll() {
        assertThat(movesTo(three(shaped(), mover(2).excluding("n2")).plan())).containsExactly("n3");
    }

    @Test
    void itGoesToNoNodeThatItMayNotUse() {
        assertThat(movesTo(three(plain(), mover(2).excluding("n3")).plan())).containsExactly("n2");
    }

    @Test
    void asManyGpusAsAreAskedForNeedBeFreeInAll() {
        var two = cluster()
                .rack("r1", node("n1"), node("n2"))
                .team("crowd", guaranteed(16))
                .jobs(mover(4), firm(12, 4, "n2"), job(1).team("crowd").gpus(8));
        assertThat(movesTo(two.plan())).containsExactly("n2");
    }
}
