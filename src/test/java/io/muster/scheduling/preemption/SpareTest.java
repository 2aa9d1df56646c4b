package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Into which parts job 11 falls, and what is left of it. */
class SpareTest {
    private static Draft draft(Node first, Job job) {
        return new Draft(Problem.of(cluster()
                .rack("r1", first, node("n2"))
                .team("a", guaranteed(16))
                .jobs(job)
                .snapshot()));
    }

    private static List<Candidate> parts(Node first, Job job) {
        var draft = draft(first, job);
        var whole = Candidate.of(
                draft.problem().occupants().getFirst(), 0, draft.problem().settings(), NOW);
        return new Spare(draft.room()).parts(whole);
    }

    private static Job elastic(int fewest, String... on) {
        return job(11).elastic(fewest, on.length).gpus(2).on(on).started(Duration.ofMinutes(20));
    }

    @Test
    void theLastReplicasAreSpareOneByOneAndTheFirstStayTogether() {
        var parts = parts(node("n1"), elastic(2, "n1", "n1", "n2", "n2"));
        assertThat(parts).hasSize(3);
        assertThat(parts).extracting(Candidate::takesWhole).containsExactly(false, false, true);
        assertThat(parts).extracting(p -> p.occupant().gpus()).containsExactly(2, 2, 4);
        assertThat(parts).extracting(Candidate::cost).containsExactly(2L * 1200, 2L * 1200, 4L * 1200);
        assertThat(parts).extracting(Candidate::from).containsExactly(2, 3, 0);
        assertThat(parts.get(2).occupant().spots()).hasSize(1);
    }

    @Test
    void aJobThatNeedsAllItHasIsNotTakenApart() {
        assertThat(parts(node("n1"), elastic(4, "n1", "n1", "n2", "n2"))).isEmpty();
        assertThat(parts(node("n1"), job(11).gpus(2).on("n1", "n1"))).isEmpty();
    }

    @Test
    void aJobOfWhichReplicasHaveEndedIsAboutToEnd() {
        var fewer = job(11).elastic(3, 4).gpus(2).on("n1", "n1");
        assertThat(parts(node("n1"), fewer)).isEmpty();
        assertThat(parts(node("n1"), job(11).elastic(1, 4).gpus(2).on("n1", "n1")))
                .hasSize(2);
    }

    @Test
    void aJobOnANodeThatClosesOrShrankGoesWhole() {
        assertThat(parts(node("n1").cordoned(), elastic(1, "n1", "n2"))).isEmpty();
        assertThat(parts(node("n1").gpus(3), elastic(1, "n1", "n1"))).isEmpty();
        assertThat(parts(node("n1").gpus(4), elastic(1, "n1", "n1"))).hasSize(2);
    }

    @Test
    void whatIsLeftIsNumberedAnew() {
        var draft = draft(node("n1"), elastic(1, "n1", "n1", "n2", "n2"));
        var left = Spare.left(draft.problem().occupants().getFirst(), Set.of(1, 3));
        assertThat(left).extracting(p -> p.index()).containsExactly(0, 1);
        assertThat(left).extracting(p -> p.node().value()).containsExactly("n1", "n2");
    }

    @Test
    void aJobThatHoldsNoGpusCostsNothing() {
        var parts = parts(node("n1"), job(11).elastic(1, 2).gpus(0).cpus(1).on("n1", "n1"));
        assertThat(parts).extracting(Candidate::cost).containsOnly(0L);
    }
}
