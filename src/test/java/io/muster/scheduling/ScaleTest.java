package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.TopologyRequest;
import io.muster.scheduling.bench.Workload;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What must not grow with the queue, counted, not timed. Times are in docs/performance.md. */
class ScaleTest {
    private static final int NODES = 200;
    private final Workload load = new Workload(NODES, 40);

    private ClusterSnapshot full(int waiting) {
        var empty = load.snapshot(load.queue(4_000), List.of(), t -> 1.0);
        var running = load.running(empty, new Scheduler().plan(empty).decisions());
        return load.snapshot(load.queue(waiting), running, t -> 1.0);
    }

    private static Effort atRest(ClusterSnapshot snapshot) {
        return new Scheduler().settle(snapshot).last().effort();
    }

    @Test
    void twiceAsManyWaitingJobsAreNotLookedAtTwice() {
        var once = atRest(full(5_000));
        var twice = atRest(full(10_000));
        assertThat(once.considered()).isPositive();
        assertThat(twice.considered()).isLessThan(once.considered() * 9 / 5);
        assertThat(twice.places()).isLessThanOrEqualTo(once.places() * 3 / 2);
        assertThat(twice.victims()).isLessThan(once.victims() * 9 / 5);
    }

    @Test
    void mostThatWaitAreSpokenForByOneOfTheirKind() {
        assertThat(atRest(full(10_000)).considered()).isLessThan(6_000);
    }

    @Test
    void aHopelessGangIsRefusedWithoutASearch() {
        var others = load.singles(1, 8 * NODES);
        var gang = load.equal(0, 1, 80, TopologyRequest.NONE);
        var settled = new Scheduler().settle(load.snapshot(gang, others, t -> t == 1 ? 40 : 0));
        assertThat(settled.last().effort().victims()).isZero();
        assertThat(settled.decisions()).noneMatch(Decision.RequestCheckpoint.class::isInstance);
    }

    @Test
    void whileAHeadIsKeptWaitingNotEveryWalltimeHasATurn() {
        var world = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(1).replicas(2).gpus(8).submitted(Duration.ofHours(9)),
                        job(9).gpus(8).on("n1").walltime(Duration.ofHours(2)));
        for (int i = 0; i < 50; i++) {
            world.jobs(job(100 + i).gpus(8).notPreemptible().walltime(Duration.ofHours(3 + i)));
        }
        var settled = new Scheduler().settle(world.snapshot());
        assertThat(settled.decisions()).hasOnlyElementsOfType(Decision.Reserve.class);
        assertThat(settled.last().effort().considered()).isLessThan(5);
    }
}
