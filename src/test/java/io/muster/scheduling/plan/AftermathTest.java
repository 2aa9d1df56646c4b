package io.muster.scheduling.plan;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobState;
import java.util.List;
import org.junit.jupiter.api.Test;

class AftermathTest {

    @Test
    void whoStartedRunsAndWhoDidNotStillWaits() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(job(1).gpus(8), job(2).gpus(8), job(3).gpus(8))
                .plan();
        var after = Aftermath.of(planned.snapshot(), List.of(planned.start(1)));
        assertThat(after.waiting()).extracting(j -> j.id().value()).containsExactly(2L, 3L);
        assertThat(after.running()).singleElement().satisfies(j -> {
            assertThat(j.id().value()).isEqualTo(1);
            assertThat(j.state()).isEqualTo(JobState.STARTING);
        });
        assertThat(Aftermath.of(planned.snapshot(), List.of()).waiting()).hasSize(3);
    }
}
