package io.muster.scheduling.snapshot;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.GroupShape;
import io.muster.model.JobId;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotTest {

    @Test
    void aReservationIsTakenOutOfOneJobAlone() {
        var snapshot = cluster()
                .rack("r1", nodes("n", 2))
                .team("a")
                .jobs(job(1).gpus(8), job(2).gpus(8))
                .reserve(ReservationView.Kind.HEAD, 1, null, 8, "n1")
                .reserve(ReservationView.Kind.HEAD, 2, null, 8, "n2")
                .snapshot();
        assertThat(snapshot.withoutReservationOf(new JobId(1)).reservations())
                .extracting(r -> r.job().value())
                .containsExactly(2L);
    }

    @Test
    void aRigidJobAsksForAllItsReplicasOrNone() {
        var elastic = job(1).elastic(2, 6).facts(List.of("gpu"));
        assertThat(elastic.isElastic()).isTrue();
        assertThat(elastic.rigid().isElastic()).isFalse();
        assertThat(elastic.rigid().groups()).extracting(GroupShape::replicas).containsExactly(6);
        var rigid = job(1).replicas(6).facts(List.of("gpu"));
        assertThat(rigid.rigid()).isSameAs(rigid);
    }
}
