package io.muster.scheduling.draft;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What changes at once when something is decided: rooms, shares, who stays, who is settled. */
class DraftTest {
    private static final int N1 = 0;
    private static final int N2 = 1;

    /** Two nodes; 11 runs on the first, job 1 asks for four GPUs. */
    private static Cluster two(Job... more) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(job(11).team("b").gpus(2).on("n1"), job(1).gpus(4))
                .jobs(more);
    }

    private static Draft draft(Cluster cluster) {
        return new Draft(Problem.of(cluster.snapshot()));
    }

    private static Claimant claimant(Draft draft, long id) {
        return Objects.requireNonNull(draft.problem().claimant(new JobId(id)));
    }

    private static Occupant occupant(Draft draft, long id) {
        return Objects.requireNonNull(draft.problem().occupant(new JobId(id)));
    }

    private static Layout on(Draft draft, Claimant claimant, String... names) {
        return Objects.requireNonNull(Layout.of(
                claimant.gang(), placements(claimant, names), draft.problem().fleet()));
    }

    private static List<ReplicaPlacement> placements(Claimant claimant, String... names) {
        var group = claimant.facts().groups().getFirst();
        var placements = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < names.length; i++) {
            placements.add(new ReplicaPlacement(group.name(), i, new NodeId(names[i]), group.each()));
        }
        return placements;
    }

    private static Decision.RequestCheckpoint request(Occupant victim) {
        return new Decision.RequestCheckpoint(
                victim.id(), victim.job().attempt(), new JobId(1), Cause.RECLAIM, victim.gpus(), 0);
    }

    private static List<JobId> staying(Draft draft) {
        var jobs = new ArrayList<JobId>();
        draft.tenures().each(t -> jobs.add(t.job()));
        return jobs;
    }

    private static List<JobId> stayingOn(Draft draft, int node) {
        var jobs = new ArrayList<JobId>();
        draft.tenures().on(node).forEach(t -> jobs.add(t.job()));
        return jobs;
    }

    private static int allocated(Draft draft, Claimant claimant) {
        return draft.shares(0).allocated(claimant.leaf());
    }

    /** Job 2 has both GPUs of n2 reserved that the others may not take beyond its start in an hour. */
    private static Draft withHead(Job... more) {
        var draft = draft(two(more).jobs(job(2).gpus(6)));
        var head = claimant(draft, 2);
        draft.heads()
                .add(new Head(
                        head, 0, NOW.plus(Duration.ofHours(1)), List.of(new Occupant.Spot(N2, Resources.gpus(6)))));
        return draft;
    }

    @Test
    void whoStartsHoldsItsNodesCountsInItsShareAndStays() {
        var draft = draft(two());
        var claimant = claimant(draft, 1);
        draft.start(claimant, on(draft, claimant, "n2"), false, null);
        assertThat(draft.room().now().gpus(N2)).isEqualTo(4);
        assertThat(allocated(draft, claimant)).isEqualTo(4);
        assertThat(draft.isSettled(claimant)).isTrue();
        assertThat(draft.startedAt(claimant)).isNotNull();
        assertThat(staying(draft)).contains(new JobId(1));
        assertThat(draft.drainTouched()).containsExactly(new Draft.Touched(0, claimant.leaf()));
        assertThat(draft.drainTouched()).isEmpty();
        assertThat(draft.drainSplit()).isEmpty();
    }

    @Test
    void aStartBeyondAHeadsTimeUsesUpWhatTheHeadLeavesAndAShorterOrBackfilledOneDoesNot() {
        var draft = withHead(job(3).gpus(1).walltime(Duration.ofMinutes(30)));
        var first = claimant(draft, 1);
        assertThat(draft.room().strict().gpus(N2)).isEqualTo(2);
        var shorter = claimant(draft, 3);
        draft.start(shorter, on(draft, shorter, "n2"), false, null);
        assertThat(draft.room().strict().gpus(N2)).isEqualTo(2);
        draft.start(first, on(draft, first, "n2"), true, null);
        assertThat(draft.room().strict().gpus(N2)).isEqualTo(2);

        var other = withHead();
        var longer = claimant(other, 1);
        other.start(longer, on(other, longer, "n2"), false, null);
        assertThat(other.room().strict().gpus(N2)).isEqualTo(2 - 4);
    }

    @Test
    void whoStartsElsewhereThanItQueuedMovesItsDemandAndBothPoolsAreSplitAgain() {
        var draft = draft(cluster()
                .pool("east", "node")
                .rack("", nodes("e", 1))
                .team("a", guaranteed(8))
                .pool("west", "node")
                .rack("", nodes("w", 1))
                .team("a", guaranteed(8))
                .jobs(job(1).gpus(4).pools("east", "west")));
        var claimant = claimant(draft, 1);
        int east = claimant.pool();
        int west = 1 - east;
        assertThat(draft.shares(east).deserved(claimant.leaf())).isEqualTo(4);
        assertThat(draft.shares(west).deserved(claimant.leaf())).isZero();
        draft.start(claimant, on(draft, claimant, "w1"), false, null);
        assertThat(draft.shares(east).deserved(claimant.leaf())).isZero();
        assertThat(draft.shares(west).deserved(claimant.leaf())).isEqualTo(4);
        assertThat(draft.shares(west).allocated(claimant.leaf())).isEqualTo(4);
        assertThat(draft.drainSplit()).containsExactly(0, 1);
        assertThat(draft.drainSplit()).isEmpty();
    }

    @Test
    void aStartThatIsReseatedHoldsItsNewPlaceOnly() {
        var draft = draft(two());
        var claimant = claimant(draft, 1);
        draft.start(claimant, on(draft, claimant, "n1"), false, null);
        draft.reseat(Map.of(claimant, on(draft, claimant, "n2")));
        assertThat(draft.room().now().gpus(N1)).isEqualTo(6);
        assertThat(draft.room().now().gpus(N2)).isEqualTo(4);
        assertThat(draft.room().future().gpus(N2)).isEqualTo(4);
        assertThat(stayingOn(draft, N1)).containsExactly(new JobId(11));
        assertThat(stayingOn(draft, N2)).containsExactly(new JobId(1));
        assertThat(draft.decisions())
                .hasSize(1)
                .first()
                .satisfies(d -> assertThat(((Decision.Start) d).placements())
                        .allMatch(p -> p.node().value().equals("n2")));
    }

    @Test
    void whoWasAskedToLeaveHoldsItsNodeNowButNotLaterNorInItsShare() {
        var draft = draft(two());
        var victim = occupant(draft, 11);
        assertThat(draft.isLeaving(victim)).isFalse();
        draft.evict(victim, request(victim));
        assertThat(draft.isLeaving(victim)).isTrue();
        assertThat(draft.room().now().gpus(N1)).isEqualTo(6);
        assertThat(draft.room().future().gpus(N1)).isEqualTo(8);
        assertThat(draft.shares(0).allocated(victim.leaf())).isZero();
        assertThat(staying(draft)).isEmpty();
        assertThat(stayingOn(draft, N1)).isEmpty();
        assertThat(draft.drainTouched()).containsExactly(new Draft.Touched(0, victim.leaf()));
    }

    @Test
    void whatIsPromisedIsKeptCountsAndIsSettled() {
        var draft = withHead();
        var claimant = claimant(draft, 1);
        draft.promise(claimant, on(draft, claimant, "n2"), List.of(new JobId(11)));
        assertThat(draft.room().future().gpus(N2)).isEqualTo(4);
        assertThat(draft.room().promised(N2)).isEqualTo(Resources.gpus(4));
        assertThat(draft.room().strict().gpus(N2)).isEqualTo(2 - 4);
        assertThat(allocated(draft, claimant)).isEqualTo(4);
        assertThat(draft.isSettled(claimant)).isTrue();
    }

    @Test
    void whoMovesCountsAtItsNextPlaceWhichNobodyElseGets() {
        var draft = withHead();
        var mover = occupant(draft, 11);
        var gang = Objects.requireNonNull(draft.problem().returning(mover)).gang();
        var layout = Objects.requireNonNull(Layout.of(
                gang,
                List.of(new ReplicaPlacement("main", 0, new NodeId("n2"), Resources.gpus(2))),
                draft.problem().fleet()));
        draft.evict(mover, request(mover));
        draft.relocate(mover, gang, layout);
        assertThat(draft.shares(0).allocated(mover.leaf())).isEqualTo(2);
        assertThat(draft.room().now().gpus(N2)).isEqualTo(6);
        assertThat(draft.room().strict().gpus(N2)).isZero();
        assertThat(draft.drainTouched()).hasSize(2);
    }

    @Test
    void anElasticJobThatGoesOnSmallerKeepsTheRestOfItsPlace() {
        var draft = withHead(job(12).team("b").elastic(1, 4).gpus(1).on("n2", "n2", "n2", "n2"));
        var job = occupant(draft, 12);
        int before = draft.shares(0).allocated(job.leaf());
        var whole = Objects.requireNonNull(draft.problem().returning(job));
        var left = List.of(new ReplicaPlacement("main", 0, new NodeId("n2"), Resources.gpus(1)));
        var smaller = Objects.requireNonNull(draft.problem().sizedAs(whole, left));
        int strictly = draft.room().strict().gpus(N2);
        draft.resize(job, smaller, left, request(job));
        assertThat(draft.room().future().gpus(N2)).isEqualTo(7);
        assertThat(draft.room().promised(N2)).isEqualTo(Resources.gpus(1));
        assertThat(draft.shares(0).allocated(job.leaf())).isEqualTo(before - 3);
        assertThat(draft.room().strict().gpus(N2)).isEqualTo(strictly - 1);
    }

    @Test
    void whoIsStoppedLeavesItsNodeAndCountsUntilItIsGone() {
        var draft = draft(two());
        var job = occupant(draft, 11);
        draft.stop(job);
        assertThat(draft.isLeaving(job)).isTrue();
        assertThat(draft.room().now().gpus(N1)).isEqualTo(6);
        assertThat(draft.room().future().gpus(N1)).isEqualTo(8);
        assertThat(staying(draft)).isEmpty();
        assertThat(draft.shares(0).allocated(job.leaf())).isEqualTo(2);
    }

    @Test
    void aPromiseOfAnEarlierCycleIsKnownUntilItIsClosed() {
        var draft = draft(two().reserve(ReservationView.Kind.VICTIMS, 1, null, 4, "n2"));
        var claimant = claimant(draft, 1);
        var view = draft.problem().snapshot().reservations().getFirst();
        draft.openPromise(claimant, view, 0);
        assertThat(draft.promiseOf(claimant.id())).isEqualTo(view);
        assertThat(draft.room().future().gpus(N2)).isEqualTo(4);
        assertThat(draft.room().present().gpus(N2)).isEqualTo(8);
        assertThat(allocated(draft, claimant)).isEqualTo(4);
        draft.closePromise(claimant, view, 0);
        assertThat(draft.promiseOf(claimant.id())).isNull();
        assertThat(draft.room().future().gpus(N2)).isEqualTo(8);
        assertThat(allocated(draft, claimant)).isZero();
    }

    @Test
    void whatIsKeptForAMoveIsNobodyElsesAtOnce() {
        var draft = draft(two().reserve(ReservationView.Kind.MOVE, 1, null, 4, "n2"));
        var claimant = claimant(draft, 1);
        var view = draft.problem().snapshot().reservations().getFirst();
        draft.openPromise(claimant, view, 0);
        assertThat(draft.room().present().gpus(N2)).isEqualTo(4);
        draft.closePromise(claimant, view, 0);
        assertThat(draft.room().present().gpus(N2)).isEqualTo(8);
    }

    @Test
    void whoHasGpusKeptIsToldBeneficiariesFirst() {
        var draft = withHead();
        var claimant = claimant(draft, 1);
        var view = two().reserve(ReservationView.Kind.VICTIMS, 1, null, 4, "n2").snapshot();
        draft.openPromise(claimant, view.reservations().getFirst(), 0);
        var partition = claimant.options().getFirst();
        assertThat(draft.reservedIn(partition))
                .containsExactly(new Draft.Kept(new JobId(1), 4, null), new Draft.Kept(new JobId(2), 6, null));
    }
}
