package io.muster.scheduling.moves;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.PoolId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of the place that is kept for job 11, which moves or has just moved out. */
class RelocationsTest {
    private static final String CHANGED = "its nodes or its job changed";

    /** Two nodes, a part of the first in use: whoever has no place of its own goes there. */
    private static Cluster two(Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(20).gpus(4).on("n1"))
                .jobs(jobs);
    }

    private static ReservationView kept(String pool, @Nullable Instant until, int gpus, String... on) {
        var view = cluster()
                .pool(pool)
                .reserve(ReservationView.Kind.MOVE, 11, null, gpus, on)
                .snapshot()
                .reservations()
                .getFirst();
        return new ReservationView(
                view.id(), view.job(), new PoolId(pool), view.kind(), view.placements(), null, until);
    }

    private static List<String> givenUp(Cluster cluster) {
        return cluster.plan().unreserves().stream().map(Decision.Unreserve::why).toList();
    }

    private static Job leaving() {
        return job(11).gpus(1).on("n1").leavingFor(1);
    }

    @Test
    void itStartsThereAlthoughAnotherPlaceWouldBeTighter() {
        var planned =
                two(job(11).gpus(1)).reservation(kept("gpu", null, 1, "n2")).plan();
        assertThat(planned.nodesOf(11)).containsExactly("n2");
        assertThat(planned.start(11).consumes())
                .isEqualTo(kept("gpu", null, 1, "n2").id());
        assertThat(planned.share("a").allocated()).isEqualTo(4 + 1);
        assertThat(two(job(11).gpus(1)).plan().nodesOf(11)).containsExactly("n1");
    }

    @Test
    void nobodyElseGetsIt() {
        var planned = two(
                        job(11).gpus(8).submitted(Duration.ZERO), job(2).gpus(8).submitted(Duration.ofHours(9)))
                .reservation(kept("gpu", null, 8, "n2"))
                .plan();
        assertThat(planned.started()).containsExactly(11L);
    }

    @Test
    void itIsGivenUpWhenItsNodesOrPoolAreNotThere() {
        assertThat(givenUp(two(leaving()).reservation(kept("gpu", null, 1, "n2"))))
                .isEmpty();
        assertThat(givenUp(two(leaving()).reservation(kept("gpu", null, 1, "gone"))))
                .containsExactly(CHANGED);
        assertThat(givenUp(two(leaving()).reservation(kept("other", null, 1, "n2"))))
                .containsExactly(CHANGED);
        assertThat(givenUp(two(job(11).gpus(1)).reservation(kept("gpu", null, 1, "gone"))))
                .containsExactly(CHANGED);
        assertThat(givenUp(two(job(11).gpus(1)).reservation(kept("other", null, 1, "n2"))))
                .containsExactly(CHANGED);
    }

    @Test
    void itIsGivenUpWhenItIsNoPlaceForTheJobAnyMore() {
        assertThat(givenUp(two(job(11).gpus(2)).reservation(kept("gpu", null, 1, "n2"))))
                .containsExactly(CHANGED);
        assertThat(givenUp(two(job(11).gpus(1).excluding("n2")).reservation(kept("gpu", null, 1, "n2"))))
                .containsExactly(CHANGED);
        assertThat(givenUp(two(job(11).gpus(1).excluding("n1")).reservation(kept("gpu", null, 1, "n2"))))
                .isEmpty();
        assertThat(givenUp(two(job(11).gpus(1).types("A100")).reservation(kept("gpu", null, 1, "n2"))))
                .hasSize(1);
    }

    @Test
    void itIsGivenUpAfterAFailureAndAfterItsTime() {
        assertThat(givenUp(two(job(11).gpus(1).backoff(Duration.ofMinutes(1))).reservation(kept("gpu", null, 1, "n2"))))
                .containsExactly("its job waits after a failure");
        assertThat(givenUp(two(job(11).gpus(1)).reservation(kept("gpu", NOW, 1, "n2"))))
                .containsExactly("it expired unused");
        assertThat(givenUp(two(job(11).gpus(1)).reservation(kept("gpu", NOW.plusSeconds(1), 1, "n2"))))
                .isEmpty();
    }

    @Test
    void itIsGivenUpWhenSomebodyHoldsItOrTheNodeIsClosed() {
        assertThat(givenUp(two(job(11).gpus(1), job(21).gpus(8).on("n2")).reservation(kept("gpu", null, 1, "n2"))))
                .containsExactly("its place is no longer free");
        var closed = cluster()
                .rack("r1", node("n1"), node("n2").cordoned())
                .team("a", guaranteed(16))
                .jobs(job(11).gpus(1))
                .reservation(kept("gpu", null, 1, "n2"));
        assertThat(givenUp(closed)).containsExactly("its place is no longer free");
    }

    @Test
    void itIsGivenUpWhenTheTeamMayNotHoldSoMuch() {
        var limited = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(4).limit(4))
                .jobs(job(20).gpus(4).on("n1"), job(11).gpus(1))
                .reservation(kept("gpu", null, 1, "n2"));
        assertThat(givenUp(limited)).containsExactly("its team or user may not hold that much any more");
    }

    @Test
    void itIsKeptWhileItsTeamOrPoolIsPaused() {
        for (var mode : List.of(
                new ModeView(null, null, null, Map.of(), Map.of(Ids.team("a"), "x")),
                new ModeView(null, null, null, Map.of(new PoolId("gpu"), "x"), Map.of()))) {
            var planned = two(job(11).gpus(1))
                    .mode(mode)
                    .reservation(kept("gpu", null, 1, "n2"))
                    .plan();
            assertThat(planned.plan().decisions()).isEmpty();
        }
    }
}
