package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.preemption.VictimSearch.Found;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who leaves domains that a shape of job 1's team covers. Three nodes of eight; "crowd" may keep eight, "loud" none. */
class ShapeSearchTest {
    private static Cluster three(Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 3))
                .team("island", guaranteed(16).shape(2, "node", 8))
                .team("crowd", guaranteed(8))
                .team("loud")
                .jobs(jobs);
    }

    private static Job held(long id, String team, int gpus, String node, int minutes) {
        return job(id).team(team).gpus(gpus).on(node).started(Duration.ofMinutes(minutes));
    }

    private static Job gang(int nodes) {
        return job(1).team("island").replicas(nodes).gpus(8);
    }

    private static Draft draft(Cluster cluster) {
        return new Draft(Problem.of(cluster.snapshot()));
    }

    private static @Nullable Found search(Draft draft) {
        var claimant = Objects.requireNonNull(draft.problem().claimant(new JobId(1)));
        return new VictimSearch(draft).searchShape(claimant, claimant.options().getFirst(), LevelWish.ANYWHERE);
    }

    private static List<Long> victims(Cluster cluster) {
        return Victims.of(search(draft(cluster)));
    }

    @Test
    void theDomainThatCostsLeastIsCleared() {
        assertThat(victims(three(
                                held(11, "crowd", 2, "n1", 30),
                                held(12, "crowd", 2, "n2", 20),
                                held(13, "crowd", 2, "n3", 40))
                        .jobs(gang(1))))
                .containsExactly(12L);
        assertThat(victims(three(
                                held(11, "crowd", 2, "n1", 30),
                                held(12, "crowd", 2, "n2", 20),
                                held(13, "crowd", 2, "n3", 40))
                        .jobs(gang(2))))
                .containsExactly(11L, 12L);
    }

    @Test
    void aDomainOfThoseBeyondTheirShareIsClearedBeforeOneThatOthersAreEntitledTo() {
        var cluster = three(
                        held(11, "crowd", 1, "n1", 20),
                        held(12, "loud", 3, "n2", 90),
                        held(13, "loud", 3, "n3", 95),
                        held(14, "island", 3, "n3", 95).notPreemptible())
                .jobs(
                        gang(1),
                        job(2).team("crowd").gpus(7),
                        job(3).team("island").gpus(5));
        assertThat(victims(cluster)).containsExactly(12L);
    }

    @Test
    void allOfTheDomainLeaveWithTheirShapesCauseAndWhatTheyLose() {
        var found = search(draft(three(
                        held(11, "crowd", 1, "n1", 20),
                        held(12, "crowd", 1, "n1", 30),
                        held(13, "crowd", 2, "n2", 90),
                        held(14, "crowd", 2, "n3", 90))
                .jobs(gang(1))));
        assertThat(Victims.of(found)).containsExactly(11L, 12L);
        assertThat(found.cost()).isEqualTo(20 * 60 + 30 * 60);
        assertThat(found.victims()).allMatch(t -> t.cause() == Cause.SHAPE);
        assertThat(found.layout().nodes()).containsExactly(0);
        assertThat(found.atOnce()).isFalse();
    }

    @Test
    void whoeverTheGangDoesNotNeedStays() {
        // One of the two on n1 is in the way of seven GPUs, the cheaper one leaves.
        var cluster = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(7).shape(1, "node", 7))
                .team("crowd", guaranteed(9))
                .jobs(
                        held(11, "crowd", 1, "n1", 30),
                        held(12, "crowd", 1, "n1", 20),
                        held(13, "crowd", 7, "n2", 90),
                        job(1).team("island").gpus(7));
        assertThat(victims(cluster)).containsExactly(12L);
    }

    @Test
    void whoIsWithinItsShareStaysBeforeWhoIsBeyond() {
        var cluster = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(7).shape(1, "node", 7))
                .team("crowd", guaranteed(9))
                .team("loud")
                .jobs(
                        held(11, "crowd", 1, "n1", 20),
                        held(12, "loud", 1, "n1", 90),
                        held(13, "crowd", 8, "n2", 90),
                        job(1).team("island").gpus(7));
        assertThat(victims(cluster)).containsExactly(12L);
    }

    @Test
    void nobodyLeavesADomainThatIsOnlyReservedForOthers() {
        var cluster = three(held(11, "crowd", 4, "n1", 20), held(12, "crowd", 4, "n2", 20))
                .jobs(gang(1), job(2).team("crowd").gpus(8));
        var draft = draft(cluster);
        var head = Objects.requireNonNull(draft.problem().claimant(new JobId(2)));
        draft.heads()
                .add(new Head(
                        head,
                        head.pool(),
                        NOW.plus(Duration.ofHours(1)),
                        List.of(new Occupant.Spot(2, Resources.gpus(8)))));
        var found = search(draft);
        assertThat(found).isNotNull();
        assertThat(found.victims()).isEmpty();
        assertThat(found.atOnce()).isTrue();
        assertThat(found.layout().nodes()).containsExactly(2);
    }

    @Test
    void whatCannotYieldIsNoDomain() {
        assertThat(victims(three(
                                held(11, "crowd", 2, "n1", 20).notPreemptible(),
                                held(12, "crowd", 2, "n2", 9),
                                held(13, "crowd", 2, "n3", 20).protectedFor(Duration.ofHours(1)))
                        .jobs(gang(1))))
                .isEmpty();
    }

    @Test
    void aSearchLeavesRoomAndSharesAsTheyWere() {
        var draft = draft(
                three(held(11, "crowd", 2, "n1", 30), held(12, "crowd", 2, "n2", 20), held(13, "crowd", 2, "n3", 40))
                        .jobs(gang(2)));
        int held = draft.shares(0).total();
        var search = new VictimSearch(draft);
        var claimant = Objects.requireNonNull(draft.problem().claimant(new JobId(1)));
        assertThat(search.searchShape(claimant, claimant.options().getFirst(), LevelWish.ANYWHERE))
                .isNotNull();
        assertThat(search.searches()).isEqualTo(1);
        assertThat(draft.shares(0).total()).isEqualTo(held);
        assertThat(draft.room().future().gpus(0)).isEqualTo(6);
    }

    @Test
    void withoutARightNobodyIsLookedAt() {
        var draft = draft(
                three(held(11, "crowd", 2, "n1", 30)).jobs(job(1).team("crowd").gpus(8)));
        var search = new VictimSearch(draft);
        var claimant = Objects.requireNonNull(draft.problem().claimant(new JobId(1)));
        assertThat(search.searchShape(claimant, claimant.options().getFirst(), LevelWish.ANYWHERE))
                .isNull();
        assertThat(search.searches()).isZero();
    }

    @Test
    void aJobOnTwoNodesLeavesBothAndIsCountedOnce() {
        var cluster = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(8))
                .jobs(
                        job(11).team("crowd").gpus(1).on("n1", "n2").started(Duration.ofMinutes(20)),
                        held(12, "crowd", 4, "n2", 30),
                        gang(1));
        var found = search(draft(cluster));
        assertThat(Victims.of(found)).containsExactly(11L);
        assertThat(found.cost()).isEqualTo(20 * 60 * 2);
    }
}
