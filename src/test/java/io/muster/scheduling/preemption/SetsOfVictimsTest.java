package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sets of victims of which not the cheapest next one is taken first, because then the rest could not be. */
class SetsOfVictimsTest {
    private static Job held(long id, String team, int gpus, String node, int minutes) {
        return job(id).team(team).gpus(gpus).on(node).started(Duration.ofMinutes(minutes));
    }

    private static Cluster two() {
        return cluster().rack("r1", node("n1").gpus(4), node("n2").gpus(4));
    }

    private static List<Long> asked(Planned planned) {
        return planned.all(Decision.RequestCheckpoint.class).stream()
                .map(r -> r.job().value())
                .toList();
    }

    @Test
    void ofATeamThatIsBarelyAboveItsShareTheLargestIsAskedLast() {
        // b may keep two of its four: when the three leave first, it is not above its share any more.
        var planned = two().team("a", guaranteed(4))
                .team("b", guaranteed(2))
                .jobs(held(11, "b", 3, "n1", 20).priority(-10), held(12, "b", 1, "n1", 20))
                .jobs(held(13, "b", 4, "n2", 20).notPreemptible())
                .team("f", guaranteed(2))
                .jobs(job(1).gpus(4))
                .plan();
        assertThat(asked(planned)).containsExactlyInAnyOrder(11L, 12L);
        var narrow = cluster()
                .rack("r1", node("n1").gpus(4), node("n2").gpus(2))
                .team("a", guaranteed(4))
                .team("b", guaranteed(2))
                .jobs(held(11, "b", 3, "n1", 20).priority(-10), held(12, "b", 1, "n1", 20))
                .jobs(job(1).gpus(4))
                .plan();
        assertThat(asked(narrow)).containsExactly(12L, 11L);
    }

    @Test
    void aTeamThatCanGiveOneOnlyGivesTheOneThatFreesEnough() {
        // c is one above its share: either 14 or 15, and without 15 the second node has no room for three.
        var planned = two().team("a", guaranteed(6))
                .team("b")
                .team("c", guaranteed(2))
                .jobs(
                        held(11, "b", 1, "n1", 20),
                        held(12, "b", 1, "n1", 90),
                        held(13, "b", 1, "n1", 20).priority(-20),
                        held(14, "c", 1, "n1", 20).priority(-10),
                        held(15, "c", 2, "n2", 90).priority(-20),
                        held(16, "b", 1, "n2", 20).notPreemptible(),
                        job(1).replicas(2).gpus(3))
                .plan();
        assertThat(asked(planned)).containsExactlyInAnyOrder(11L, 12L, 13L, 15L);
    }

    @Test
    void itsOwnLowerJobsLeaveFirstWhenOnlyThenOthersMustYield() {
        // With what it holds on n2 the claim is beyond its share, so that nobody of b need yield before 12 has.
        var planned = cluster()
                .rack("r1", node("n1").gpus(4), node("n2").gpus(4), node("n3").gpus(4))
                .team("a", guaranteed(8))
                .team("b")
                .team("f", guaranteed(4))
                .jobs(
                        held(11, "b", 2, "n1", 20),
                        held(12, "a", 3, "n2", 90).priority(-100),
                        held(13, "f", 4, "n3", 20).notPreemptible(),
                        job(1).replicas(2).gpus(4))
                .plan();
        assertThat(asked(planned)).containsExactly(12L, 11L);
        assertThat(planned.request(11).cause()).isEqualTo(Cause.RECLAIM);
        assertThat(planned.request(12).cause()).isEqualTo(Cause.PREEMPTION);
    }

    @Test
    void theRateIsSpentOnTheOneThatFreesEnough() {
        // Twelve GPUs, of which two may be reclaimed beyond guarantees: 14 would use up what 15 needs.
        var planned = cluster()
                .rack("r1", node("n1").gpus(4), node("n2").gpus(4), node("n3").gpus(4))
                .team("a", guaranteed(2))
                .team("b")
                .team("f", guaranteed(6))
                .jobs(
                        held(11, "f", 4, "n1", 20).notPreemptible(),
                        held(12, "f", 2, "n3", 20).notPreemptible(),
                        held(13, "b", 1, "n2", 90).notPreemptible().priority(100),
                        held(14, "b", 1, "n2", 20).priority(-10),
                        held(15, "b", 2, "n2", 20),
                        held(16, "b", 2, "n3", 20).notPreemptible(),
                        job(1).gpus(2))
                .plan();
        assertThat(asked(planned)).containsExactly(15L);
    }
}
