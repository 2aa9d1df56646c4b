package io.muster.scheduling.draft;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reserved starts of the jobs 1 and 2 on two nodes with 8 GPUs, 16 CPUs and 64 bytes each. */
class HeadsTest {
    private static final int N1 = 0;
    private static final int N2 = 1;
    private static final Duration SOON = Duration.ofHours(1);
    private static final Duration LATER = Duration.ofHours(2);

    private static Node small(String name) {
        return node(name).gpus(8).cpus(16).memory(64);
    }

    private static Cluster two(Node first, Job... running) {
        return cluster()
                .rack("r1", first, small("n2"))
                .team("a", guaranteed(16))
                .jobs(running)
                .jobs(job(1).gpus(1), job(2).gpus(1));
    }

    private static Draft draft(Job... running) {
        return new Draft(Problem.of(two(small("n1"), running).snapshot()));
    }

    private static Head head(Draft draft, long job, int pool, Duration in, Occupant.Spot... spots) {
        var claimant = Objects.requireNonNull(draft.problem().claimant(new JobId(job)));
        return new Head(claimant, pool, NOW.plus(in), List.of(spots));
    }

    private static Occupant.Spot spot(int node, int gpus) {
        return new Occupant.Spot(node, Resources.gpus(gpus));
    }

    @Test
    void aHeadIsKnownByItsJobItsPoolAndItsNodesUntilItIsRemoved() {
        var draft = draft();
        var heads = draft.heads();
        assertThat(heads.any(0)).isFalse();
        assertThat(heads.firstStart(0)).isNull();
        assertThat(heads.on(N1)).isNull();
        var later = head(draft, 1, 0, LATER, spot(N1, 2));
        var sooner = head(draft, 2, 0, SOON, spot(N1, 1), spot(N2, 1));
        heads.add(later);
        assertThat(heads.on(N2)).isNull();
        heads.add(sooner);
        assertThat(heads.of(new JobId(1))).isEqualTo(later);
        assertThat(heads.any(0)).isTrue();
        assertThat(heads.any(1)).isFalse();
        assertThat(heads.count(0)).isEqualTo(2);
        assertThat(heads.count(1)).isZero();
        assertThat(heads.firstStart(0)).isEqualTo(NOW.plus(SOON));
        assertThat(heads.firstStart(1)).isNull();
        assertThat(heads.on(N1)).isEqualTo(sooner);
        assertThat(heads.on(N2)).isEqualTo(sooner);
        assertThat(heads.remove(sooner.claimant())).isEqualTo(sooner);
        assertThat(heads.on(N1)).isEqualTo(later);
        assertThat(heads.of(new JobId(2))).isNull();
        assertThat(heads.remove(sooner.claimant())).isNull();
        assertThat(heads.all()).containsExactly(later);
    }

    @Test
    void theSoonestOfTwoIsFirstWhicheverCameFirst() {
        var draft = draft();
        draft.heads().add(head(draft, 1, 0, SOON, spot(N1, 2)));
        draft.heads().add(head(draft, 2, 0, LATER, spot(N1, 1)));
        assertThat(draft.heads().firstStart(0)).isEqualTo(NOW.plus(SOON));
        assertThat(Objects.requireNonNull(draft.heads().on(N1)).claimant().id()).isEqualTo(new JobId(1));
    }

    @Test
    void othersMayTakeWhatNeitherHeadsNorWhoStaysBeyondTheirStartNeed() {
        var draft = draft(
                job(11).gpus(1).on("n1").walltime(Duration.ofHours(9)),
                job(12).gpus(2).on("n1").walltime(Duration.ofMinutes(90)));
        var head = head(draft, 1, 0, SOON, spot(N1, 3));
        draft.heads().add(head);
        assertThat(draft.room().strict().gpus(N1)).isEqualTo(8 - 3 - 1);
        assertThat(draft.room().futureStrict().gpus(N1)).isEqualTo(8 - 3 - 3);
        draft.heads().remove(head.claimant());
        assertThat(draft.room().strict().gpus(N1)).isEqualTo(5);
    }

    @Test
    void whoWasBackfilledStaysNoLongerThanTheHeadNeeds() {
        var draft = draft(job(11).gpus(6).on("n1").walltime(Duration.ofHours(9)).backfilled());
        var head = head(draft, 1, 0, SOON, spot(N1, 8));
        draft.heads().add(head);
        assertThat(draft.heads().isMet(head)).isTrue();
        var firm = draft(job(11).gpus(6).on("n1").walltime(Duration.ofHours(9)));
        var other = head(firm, 1, 0, SOON, spot(N1, 8));
        firm.heads().add(other);
        assertThat(firm.heads().isMet(other)).isFalse();
    }

    /** Whether a head that reserved so much of n1 is met while another has two GPUs, two CPUs and two bytes of it. */
    private static boolean isMet(Resources amount) {
        var draft = draft();
        draft.heads()
                .add(new Head(
                        head(draft, 2, 0, LATER).claimant(),
                        0,
                        NOW.plus(LATER),
                        List.of(new Occupant.Spot(N1, new Resources(2, 2_000, 2)))));
        var head =
                new Head(head(draft, 1, 0, SOON).claimant(), 0, NOW.plus(SOON), List.of(new Occupant.Spot(N1, amount)));
        draft.heads().add(head);
        return draft.heads().isMet(head);
    }

    @Test
    void aHeadIsMetWhileItsNodesHaveWhatItAndTheOtherHeadsReserved() {
        assertThat(isMet(new Resources(6, 14_000, 62))).isTrue();
        assertThat(isMet(new Resources(7, 14_000, 62))).isFalse();
        assertThat(isMet(new Resources(6, 14_001, 62))).isFalse();
        assertThat(isMet(new Resources(6, 14_000, 63))).isFalse();
    }

    @Test
    void aHeadIsNotMetOnANodeThatTakesNothingAnyMore() {
        var draft = new Draft(Problem.of(two(small("n1").cordoned()).snapshot()));
        var closed = head(draft, 1, 0, SOON, spot(N1, 1));
        var open = head(draft, 2, 0, SOON, spot(N2, 1));
        draft.heads().add(closed);
        draft.heads().add(open);
        assertThat(draft.heads().isMet(closed)).isFalse();
        assertThat(draft.heads().isMet(open)).isTrue();
    }
}
