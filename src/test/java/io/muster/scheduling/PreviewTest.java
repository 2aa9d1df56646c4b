package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.PoolId;
import io.muster.model.Remedy;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.plan.Decision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreviewTest {
    private static final List<String> POOLS = List.of("gpu");

    private static Cluster half() {
        return cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .team("t", guaranteed(16))
                .team("o")
                .jobs(
                        job(9).team("o").gpus(4).on("a1"),
                        job(8).team("o").gpus(4).on("b1"));
    }

    @Test
    void saysWhereItWouldStart() {
        var preview = Preview.of(half().snapshot(), job(1).team("t").gpus(4).facts(POOLS));
        assertThat(preview.startsNow()).isTrue();
        assertThat(preview.reasons()).isEmpty();
        assertThat(preview.decision()).isInstanceOf(Decision.Start.class);
    }

    @Test
    void saysWhoWouldYield() {
        var preview = Preview.of(
                half().snapshot(), job(1).team("t").replicas(2).gpus(8).facts(POOLS));
        assertThat(preview.startsNow()).isFalse();
        assertThat(preview.victims()).containsExactly(job(8).jobId(), job(9).jobId());
        assertThat(preview.reasons())
                .singleElement()
                .satisfies(r -> assertThat(r.kind()).isEqualTo("waiting-for-victims"));
    }

    @Test
    void saysWhatStandsInTheWay() {
        var snapshot = half().jobs(job(2).team("t").gpus(8).priority(100)).snapshot();
        var preview =
                Preview.of(snapshot, job(1).team("t").gpus(8).notPreemptible().facts(POOLS));
        assertThat(preview.place()).isPositive();
        assertThat(preview.reasons()).isNotEmpty();
    }

    @Test
    void neverFitsNamesTheLargestThatCould() {
        var snapshot = half().snapshot();
        assertThat(NeverFits.check(
                        snapshot.pools(),
                        snapshot.nodes(),
                        job(1).replicas(2).gpus(8).facts(POOLS)))
                .isEmpty();
        var refused = NeverFits.check(
                snapshot.pools(),
                snapshot.nodes(),
                job(1).replicas(2).gpus(8).require("rack").facts(POOLS));
        assertThat(refused).hasValueSatisfying(r -> {
            assertThat(r.gpusWanted()).isEqualTo(16);
            assertThat(r.largestGpus()).isEqualTo(8);
            assertThat(r.level()).isEqualTo("rack");
        });
        var nowhere = NeverFits.check(
                snapshot.pools(), snapshot.nodes(), job(1).types("B200").facts(POOLS));
        assertThat(nowhere).hasValueSatisfying(r -> assertThat(r.largestGpus()).isZero());
    }

    @Test
    void relaxedTopologyIsARemedyOnlyWhenItWouldStartTheJob() {
        var snapshot = half().jobs(job(1).team("o").replicas(8).require("rack")).snapshot();
        assertThat(Explainer.remedies(snapshot, job(1).jobId(), List.of()))
                .contains(
                        new Remedy.RelaxTopology(null, null, 2), new Remedy.FewerReplicas(4), new Remedy.BeElastic(4));
        var elastic =
                half().jobs(job(1).team("o").elastic(6, 8).require("rack")).snapshot();
        assertThat(Explainer.remedies(elastic, job(1).jobId(), List.of()))
                .contains(new Remedy.BeElastic(4))
                .doesNotContain(new Remedy.FewerReplicas(4));
    }

    @Test
    void shorterPatienceIsTriedFirst() {
        var snapshot = half().jobs(job(1).team("o").replicas(8).require("rack").prefer("node", Duration.ofHours(1)))
                .snapshot();
        assertThat(Explainer.remedies(snapshot, job(1).jobId(), List.of()))
                .first()
                .isEqualTo(new Remedy.RelaxTopology(null, null, 2));
    }

    @Test
    void anotherPoolAndAHigherClassAreRemedies() {
        var base = cluster()
                .pool("x", "rack", "node")
                .rack("r1", nodes("x", 1))
                .pool("y", "rack", "node")
                .rack("r1", nodes("y", 1))
                .team("t")
                .jobs(
                        job(9).team("t").gpus(8).pools("x").on("x1"),
                        job(1).team("t").gpus(8).pools("x"));
        var remedies = Explainer.remedies(
                base.snapshot(),
                job(1).jobId(),
                List.of(new Explainer.PriorityClass("urgent", 1000), new Explainer.PriorityClass("high", 100)));
        assertThat(remedies)
                .first()
                .isInstanceOfSatisfying(
                        Remedy.OtherPool.class, r -> assertThat(r.pool()).isEqualTo(new PoolId("y")));
        assertThat(remedies).last().isInstanceOfSatisfying(Remedy.RaisePriority.class, r -> {
            assertThat(r.priorityClass()).isEqualTo("high");
            assertThat(r.victims()).containsExactly(job(9).jobId());
        });
    }

    @Test
    void aJobThatDoesNotWaitHasNoRemedies() {
        assertThat(Explainer.remedies(half().snapshot(), job(77).jobId(), List.of()))
                .isEmpty();
    }
}
