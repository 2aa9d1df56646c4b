package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import org.junit.jupiter.api.Test;

class GangTest {

    @Test
    void gangStartsWhole() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(job(1).replicas(4).gpus(8))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("n1", "n2", "n3", "n4");
        assertThat(planned.plan().explanations()).isEmpty();
    }

    @Test
    void gangWaitsWholeWhenOneReplicaDoesNotFitAndSaysWhoHoldsTheRest() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(job(9).gpus(4).on("n4"), job(1).replicas(4).gpus(8))
                .plan();
        assertThat(planned.started()).isEmpty();
        var reason = planned.reason(1, Reason.Capacity.class);
        assertThat(reason.gpusWanted()).isEqualTo(32);
        assertThat(reason.gpusFree()).isEqualTo(28);
        assertThat(reason.holders()).singleElement().satisfies(h -> {
            assertThat(h.job()).isEqualTo(job(9).jobId());
            assertThat(h.gpus()).isEqualTo(4);
        });
    }

    @Test
    void ofTwoGangsOneRunsAndNoneHoldsHalf() {
        var planned = cluster()
                .rack("r1", nodes("n", 6))
                .team("a", guaranteed(48))
                .jobs(job(1).replicas(4).gpus(8), job(2).replicas(4).gpus(8))
                .plan();
        assertThat(planned.started()).containsExactly(1L);
        assertThat(planned.explanation(2).place()).isEqualTo(1);
    }

    @Test
    void smallJobsFillGapsBeforeTheyBreakWholeNodes() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(job(9).gpus(5).on("n2"), job(1), job(2), job(3), job(4))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("n2");
        assertThat(planned.nodesOf(2)).containsExactly("n2");
        assertThat(planned.nodesOf(3)).containsExactly("n2");
        assertThat(planned.nodesOf(4)).containsExactly("n1");
    }

    @Test
    void gangGoesIntoOneRackWhenARackFits() {
        var planned = cluster()
                .rack("r1", nodes("a", 3))
                .rack("r2", nodes("b", 4))
                .team("a", guaranteed(32))
                .jobs(job(1).replicas(4).gpus(8))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("b1", "b2", "b3", "b4");
        assertThat(planned.start(1).level()).isEqualTo("rack");
    }

    @Test
    void cpusAndMemoryAreCheckedToo() {
        var planned = cluster()
                .rack("r1", node("n1").gpus(8).cpus(16), node("n2").gpus(8).cpus(64))
                .team("a", guaranteed(16))
                .jobs(
                        job(9).cpus(20).on("n2"),
                        job(1).gpus(1).cpus(32),
                        job(2).gpus(1).cpus(64))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("n2");
        assertThat(planned.reason(2, Reason.Fragmentation.class).replicasFit()).isZero();
    }
}
