package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.ModeView;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void theTeamThatIsFurthestBelowItsShareComesFirst() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(9).team("a").gpus(2).on("n1"),
                        job(1).team("a").gpus(2),
                        job(2).team("b").gpus(2),
                        job(3).team("b").gpus(2))
                .plan();
        assertThat(planned.started()).containsExactly(2L, 1L, 3L);
    }

    @Test
    void insideATeamPriorityComesBeforeAgeAndAgeBeforeId() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(
                        job(1).submitted(Duration.ofMinutes(1)),
                        job(2).submitted(Duration.ofMinutes(9)),
                        job(3).priority(100).submitted(Duration.ZERO))
                .plan();
        assertThat(planned.started()).containsExactly(3L, 2L, 1L);
    }

    @Test
    void waitingLongEnoughRaisesAJobByOneClassAndNoMore() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(
                        job(1).priority(0).submitted(Duration.ofMinutes(1)),
                        job(2).priority(-100).submitted(Duration.ofHours(10)),
                        job(3).priority(100).submitted(Duration.ofMinutes(1)),
                        job(4).priority(-100).submitted(Duration.ofHours(9)))
                .plan();
        assertThat(planned.started()).containsExactly(3L, 2L, 1L, 4L);
    }

    @Test
    void allHeadsAreConsideredInOneCycle() {
        // kueue#14477: one pop per cycle.
        var base = cluster().rack("r1", nodes("n", 100)).team("a");
        for (int i = 1; i <= 536; i++) {
            base.jobs(job(i).user("u" + i % 7));
        }
        assertThat(base.plan().started()).hasSize(536);
    }

    @Test
    void aBlockedJobBlocksOnlyItsOwnPool() {
        // kueue#8309
        var planned = cluster()
                .pool("x", "rack", "node")
                .rack("r1", nodes("x", 1))
                .team("a", guaranteed(8))
                .pool("y", "rack", "node")
                .rack("r1", nodes("y", 1))
                .team("a", guaranteed(8))
                .jobs(
                        job(9).pools("x").gpus(8).on("x1"),
                        job(1).pools("x").gpus(8).priority(100),
                        job(2).pools("y").gpus(8))
                .plan();
        assertThat(planned.started()).containsExactly(2L);
    }

    @Test
    void aGangLiesInOnePoolOnOneTypeInItsOrderOfPreference() {
        var base = cluster()
                .pool("x", "rack", "node")
                .rack("r1", nodes("x", 1))
                .pool("y", "rack", "node")
                .rack("r1", nodes("y", 3))
                .team("a");
        assertThat(base.jobs(job(1).gpus(8)).plan().nodesOf(1)).containsExactly("x1");
        var two = base.jobs(job(2).replicas(2).gpus(8)).plan();
        assertThat(two.nodesOf(2)).containsExactly("y1", "y2");
    }

    @Test
    void placesAreToldAsIfEverybodyBeforeHadBeenGivenItsGpus() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .team("b")
                .team("h", guaranteed(8))
                .jobs(job(99).team("h").gpus(8).notPreemptible().on("n1"))
                .jobs(job(1), job(2), job(3).user("v"), job(4))
                .jobs(job(11).team("b"), job(12).team("b"), job(13).team("b"))
                .plan();
        var inOrder = LongStream.of(1, 2, 3, 4, 11, 12, 13)
                .boxed()
                .sorted(Comparator.comparing(id -> planned.explanation(id).place()))
                .toList();
        assertThat(inOrder).containsExactly(1L, 11L, 3L, 12L, 2L, 13L, 4L);
    }

    @Test
    void placeAndThoseBeforeAreTold() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(9).gpus(8).on("n1"))
                .jobs(
                        job(1).gpus(8).submitted(Duration.ofMinutes(9)),
                        job(2).gpus(8).submitted(Duration.ofMinutes(8)),
                        job(3).gpus(4).submitted(Duration.ofMinutes(7)))
                .plan();
        var third = planned.explanation(3);
        assertThat(third.place()).isEqualTo(3);
        assertThat(third.before()).containsExactly(job(1).jobId(), job(2).jobId());
        assertThat(planned.reason(3, Reason.Order.class).gpusBefore()).isEqualTo(16);
        assertThat(planned.explanation(1).reasons()).noneMatch(Reason.Order.class::isInstance);
    }

    @Test
    void whatIsPausedDoesNotStartAndSaysSo() {
        var base = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("a/x")
                .jobs(job(1).team("a/x"));
        var team = base.mode(new ModeView(null, null, null, Map.of(), Map.of(Ids.team("a"), "budget")))
                .plan();
        assertThat(team.started()).isEmpty();
        assertThat(team.reason(1, Reason.Paused.class).team()).isEqualTo(Ids.team("a"));
        var pool = base.mode(new ModeView(null, null, null, Map.of(new PoolId("gpu"), "upgrade"), Map.of()))
                .plan();
        assertThat(pool.started()).isEmpty();
        assertThat(pool.reason(1, Reason.Paused.class).pool()).isEqualTo(new PoolId("gpu"));
        var all = base.mode(new ModeView("incident", null, null, Map.of(), Map.of()))
                .plan();
        assertThat(all.started()).isEmpty();
        var safe = base.jobs(job(9).team("a").gpus(4).on("n1").walltime(Duration.ofMinutes(5)))
                .mode(new ModeView(null, null, "unsure", Map.of(), Map.of()))
                .plan();
        assertThat(safe.plan().decisions()).isEmpty();
        assertThat(safe.reason(1, Reason.Paused.class).mode()).isEqualTo("safe");
        var behind = base.mode(new ModeView(null, null, null, Map.of(new PoolId("gpu"), "upgrade"), Map.of()))
                .plan();
        assertThat(behind.explanation(1).expectedStart()).isNull();
        assertThat(behind.explanation(1).latestStart()).isNull();
    }

    @Test
    void aJobThatMakesTheCoreThrowIsSetAsideAndTheOthersArePlanned() {
        var snapshot = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(job(1).team("gone"), job(2).replicas(Integer.MAX_VALUE).gpus(8), job(3))
                .snapshot();
        var plan = new Scheduler().plan(snapshot);
        assertThat(plan.decisions())
                .singleElement()
                .satisfies(d -> assertThat(d.job().value()).isEqualTo(3));
        assertThat(plan.setAside()).extracting(s -> s.job().value()).containsExactly(1L, 2L);
        assertThat(plan.explanations()).extracting(e -> e.job().value()).containsExactlyInAnyOrder(1L, 2L);
    }
}
