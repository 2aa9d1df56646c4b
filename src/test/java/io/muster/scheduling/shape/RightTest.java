package io.muster.scheduling.shape;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who has a right to a whole domain, and whom it may ask. "island" was promised two nodes of eight. */
class RightTest {
    private static Cluster four(Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(16).shape(2, "node", 8))
                .team("other", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(8))
                .jobs(jobs);
    }

    private static Job island(long id, int replicas, int gpus) {
        return job(id).team("island").replicas(replicas).gpus(gpus);
    }

    private static Draft draft(Cluster cluster) {
        return new Draft(Problem.of(cluster.snapshot()));
    }

    private static Claimant claimant(Draft draft, long id) {
        return Objects.requireNonNull(draft.problem().claimant(new JobId(id)));
    }

    private static @Nullable Right right(Draft draft, long id) {
        return Right.of(draft, claimant(draft, id), 0);
    }

    private static boolean has(Cluster cluster) {
        return right(draft(cluster), 1) != null;
    }

    private static Occupant occupant(Draft draft, long id) {
        return Objects.requireNonNull(draft.problem().occupant(new JobId(id)));
    }

    private static Layout place(Draft draft, Claimant claimant) {
        return Objects.requireNonNull(draft.placer()
                .place(
                        claimant.gang(),
                        claimant.options().getFirst(),
                        LevelWish.ANYWHERE,
                        draft.room().now(),
                        null));
    }

    @Test
    void aGangOfWholeDomainsHasItForAsManyAsTheShapeHas() {
        assertThat(has(four(island(1, 1, 8)))).isTrue();
        assertThat(has(four(island(1, 2, 8)))).isTrue();
        assertThat(has(four(island(1, 3, 5)))).isFalse();
        assertThat(has(four(job(1).team("crowd").gpus(8)))).isFalse();
    }

    @Test
    void aUnitTakesMoreThanHalfOfADomain() {
        assertThat(has(four(island(1, 1, 5)))).isTrue();
        assertThat(has(four(island(1, 1, 4)))).isFalse();
        assertThat(has(four(island(1, 4, 2).require("node")))).isTrue();
        assertThat(has(four(island(1, 4, 2).slices(4, "node")))).isTrue();
        assertThat(has(four(island(1, 4, 2).slices(2, "node")))).isFalse();
    }

    @Test
    void domainsInWhichItsTeamStandsOrWhichItWasPromisedAreNotLeft() {
        assertThat(has(four(island(11, 1, 8).on("n1"), island(1, 1, 8)))).isTrue();
        assertThat(has(four(island(11, 1, 8).on("n1"), island(1, 2, 8)))).isFalse();
        assertThat(has(four(island(11, 1, 8).on("n1").stopping(), island(1, 2, 8))))
                .isFalse();
        assertThat(has(four(island(1, 2, 8), island(2, 1, 8)).reserve(ReservationView.Kind.VICTIMS, 2, null, 8, "n2")))
                .isFalse();
        assertThat(has(four(island(1, 2, 8), island(2, 1, 8)).reserve(ReservationView.Kind.HEAD, 2, null, 8, "n2")))
                .isTrue();
    }

    @Test
    void whatWasPromisedToTheJobItselfIsLeftToIt() {
        var cluster = four(island(1, 2, 8)).reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1", "n2");
        assertThat(has(cluster)).isTrue();
    }

    @Test
    void whatAPassHasGivenToOthersOfTheTeamIsNotLeft() {
        var draft = draft(four(island(1, 2, 8), island(2, 1, 8), island(3, 1, 2)));
        assertThat(right(draft, 1)).isNotNull();
        var small = claimant(draft, 3);
        draft.start(small, place(draft, small), false, null);
        var second = claimant(draft, 2);
        draft.start(second, place(draft, second), false, null);
        assertThat(right(draft, 1)).isNull();
    }

    @Test
    void aPromiseThatIsKeptInThisPassCountsOnce() {
        var draft =
                draft(four(island(1, 1, 8), island(2, 1, 8)).reserve(ReservationView.Kind.VICTIMS, 2, null, 8, "n2"));
        var second = claimant(draft, 2);
        draft.start(second, place(draft, second), false, null);
        assertThat(right(draft, 1)).isNotNull();
    }

    @Test
    void beyondTheGuaranteeThereIsNone() {
        assertThat(has(four(island(11, 1, 4).on("n1"), island(1, 1, 8)))).isTrue();
        assertThat(has(four(
                        island(11, 1, 4).on("n1"),
                        island(12, 1, 4).on("n1"),
                        island(13, 1, 1).on("n2"),
                        island(1, 1, 8))))
                .isFalse();
    }

    @Test
    void itAsksOthersWhoStandInNoDomainOfTheirOwnShape() {
        var draft = draft(four(
                job(11).team("crowd").gpus(8).on("n1"),
                job(12).team("other").gpus(8).on("n2"),
                job(13).team("other").gpus(2).on("n3"),
                job(14).team("crowd").production(null).gpus(1).on("n3"),
                island(15, 1, 1).on("n3"),
                island(1, 1, 8)));
        var right = Objects.requireNonNull(right(draft, 1));
        var asked = List.of(11L, 12L, 13L, 14L, 15L).stream()
                .filter(id -> right.mayAsk(occupant(draft, id)))
                .toList();
        assertThat(asked).containsExactly(11L, 13L);
        assertThat(right.level()).isEqualTo(1);
    }
}
