package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A start of this plan has not happened yet: it goes elsewhere when that lets one job more start. */
class ReseatingTest {

    /** 4 GPUs are free on n1 and 5 on n2; each job alone would go on the fullest node that holds it. */
    private static Cluster fourAndFive() {
        return cluster()
                .rack("r1", node("n1").foreign(4), node("n2").foreign(3))
                .team("a", guaranteed(9));
    }

    @Test
    void startsMoveForAJobThatWouldElseNotFit() {
        var planned = fourAndFive()
                .jobs(job(1).gpus(3), job(2).gpus(4), job(3).gpus(2))
                .plan();
        assertThat(planned.started()).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(planned.nodesOf(1)).containsExactly("n2");
        assertThat(planned.nodesOf(2)).containsExactly("n1");
        assertThat(planned.nodesOf(3)).containsExactly("n2");
    }

    @Test
    void nothingMovesWhenThatHelpsNobody() {
        var planned = fourAndFive()
                .jobs(job(1).gpus(3), job(2).gpus(5), job(3).gpus(2))
                .plan();
        assertThat(planned.started()).containsExactlyInAnyOrder(1L, 2L);
        assertThat(planned.nodesOf(1)).containsExactly("n1");
    }

    @Test
    void whoMovesKeepsToItsNodesAndTopology() {
        var planned = fourAndFive()
                .jobs(job(1).gpus(3).excluding("n2"), job(2).gpus(4), job(3).gpus(2))
                .plan();
        assertThat(planned.started()).containsExactlyInAnyOrder(1L, 2L);
        assertThat(planned.nodesOf(1)).containsExactly("n1");
        var racks = cluster()
                .rack("r1", node("n1").foreign(4))
                .rack("r2", node("n2").foreign(3))
                .team("a", guaranteed(9))
                .jobs(job(1).replicas(3).require("rack"), job(2).replicas(4).require("rack"), job(3).gpus(2))
                .plan();
        assertThat(racks.started()).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(Set.copyOf(racks.nodesOf(1))).containsExactly("n2");
        assertThat(Set.copyOf(racks.nodesOf(2))).containsExactly("n1");
    }

    @Test
    void whatRunsAlreadyStaysWhereItIs() {
        var planned = fourAndFive()
                .jobs(job(1).gpus(3).on("n1").started(Duration.ofMinutes(5)), job(2).gpus(4), job(3).gpus(2))
                .plan();
        assertThat(planned.started()).containsExactly(2L);
        assertThat(planned.victims()).isEmpty();
    }
}
