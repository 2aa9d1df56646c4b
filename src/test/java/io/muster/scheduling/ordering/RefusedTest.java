package io.muster.scheduling.ordering;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedTest {
    private final List<Claimant> jobs = Problem.of(cluster()
                    .rack("r1", nodes("n", 2))
                    .team("a")
                    .jobs(
                            job(1).gpus(2).walltime(Duration.ofHours(1)),
                            job(2).gpus(2).walltime(Duration.ofHours(2)),
                            job(3).gpus(2),
                            job(4).gpus(4).walltime(Duration.ofHours(2)),
                            job(5).gpus(2).walltime(Duration.ofHours(2)).notBeside(9),
                            job(6).gpus(2).walltime(Duration.ofHours(2)))
                    .snapshot())
            .claimants();
    private final Refused refused = new Refused();

    private Claimant of(long id) {
        return jobs.stream().filter(c -> c.id().value() == id).findFirst().orElseThrow();
    }

    private List<Long> those() {
        return jobs.stream().filter(refused::has).map(c -> c.id().value()).toList();
    }

    @Test
    void nobodyIsRefusedToBeginWith() {
        assertThat(those()).isEmpty();
        assertThat(jobs).noneMatch(refused::hasFamilyOf);
    }

    @Test
    void whoRunsAsLongOrLongerIsSpokenForAndWhoPromisesLessIsNot() {
        refused.familyOf(of(2), of(2).runs());
        assertThat(those()).containsExactly(2L, 3L, 6L);
        assertThat(refused.hasFamilyOf(of(1))).isFalse();
    }

    @Test
    void theShortestThatFoundNothingDecides() {
        refused.familyOf(of(3), of(3).runs());
        assertThat(those()).containsExactly(3L);
        refused.familyOf(of(1), of(1).runs());
        refused.familyOf(of(2), of(2).runs());
        assertThat(those()).containsExactly(1L, 2L, 3L, 6L);
    }

    @Test
    void aFamilyIsSpokenForWholeWhereNoWalltimeWouldHaveHelped() {
        refused.familyOf(of(3), 0);
        assertThat(those()).containsExactly(1L, 2L, 3L, 6L);
        assertThat(refused.hasFamilyOf(of(1))).isTrue();
        assertThat(refused.hasFamilyOf(of(4))).isFalse();
        assertThat(refused.hasFamilyOf(of(5))).isFalse();
    }

    @Test
    void aKindIsSpokenForAlone() {
        refused.kindOf(of(2));
        assertThat(those()).containsExactly(2L, 6L);
    }

    @Test
    void whoIsLikeNoOtherIsNeverSpokenFor() {
        refused.familyOf(of(2), 0);
        assertThat(refused.has(of(5))).isFalse();
    }
}
