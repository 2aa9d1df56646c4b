package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.model.TeamOrder;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.preemption.VictimSearch.Found;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who yields to job 1, and when it is seen at once that nobody could. */
class VictimSearchTest {
    private static final int NO_BUDGET = 0;

    private static Claimant claimant(Draft draft) {
        return draft.problem().claimant(new JobId(1));
    }

    private static Draft draft(Cluster cluster) {
        return new Draft(Problem.of(cluster.snapshot()));
    }

    private static boolean conceivable(Cluster cluster, int budget) {
        var draft = draft(cluster);
        var claimant = claimant(draft);
        return new VictimSearch(draft)
                .isConceivable(claimant, claimant.options().getFirst(), false, budget);
    }

    private static @Nullable Found search(Draft draft, boolean head) {
        var claimant = claimant(draft);
        var partition = claimant.options().getFirst();
        var wish = LevelWish.of(claimant.facts().topology(), partition, NOW, NOW);
        return new VictimSearch(draft).search(claimant, partition, wish, head, NO_BUDGET);
    }

    private static List<Long> victims(Cluster cluster) {
        return victims(draft(cluster), false);
    }

    private static List<Long> victims(Draft draft, boolean head) {
        return Victims.of(search(draft, head));
    }

    /** One node; b holds {@code lent} GPUs of it that it must give back, and f the others but {@code free}, which it may keep. */
    private static Cluster lent(int lent, int free) {
        var base = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8 - (8 - lent - free)))
                .team("b")
                .team("f", guaranteed(8 - lent - free))
                .jobs(job(11).team("b").gpus(lent).on("n1"));
        return lent + free == 8
                ? base
                : base.jobs(job(12).team("f").gpus(8 - lent - free).on("n1"));
    }

    @Test
    void aSearchIsHopelessWhenTooLittleIsLentAndFree() {
        assertThat(conceivable(lent(4, 0).jobs(job(1).gpus(4)), NO_BUDGET)).isTrue();
        assertThat(conceivable(lent(4, 1).jobs(job(1).gpus(5)), NO_BUDGET)).isTrue();
        assertThat(conceivable(lent(4, 0).jobs(job(1).gpus(5)), NO_BUDGET)).isFalse();
        assertThat(victims(lent(4, 1).jobs(job(1).gpus(5)))).containsExactly(11L);
    }

    @Test
    void aSearchIsHopelessWhenNobodyHoldsAnything() {
        var free = cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(8)).jobs(job(1).gpus(8));
        assertThat(conceivable(free, NO_BUDGET)).isFalse();
        assertThat(victims(free)).isEmpty();
    }

    @Test
    void beyondAGuaranteeTheRateSaysHowMuchIsConceivable() {
        var weighed = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .team("b")
                .jobs(job(11).team("b").gpus(8).on("n1"), job(1).gpus(4));
        assertThat(conceivable(weighed, 4)).isTrue();
        assertThat(conceivable(weighed, 3)).isFalse();
    }

    private static Cluster ownTeam(Job claimant) {
        return cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(11).gpus(4).on("n1").priority(-100), job(12).gpus(4).on("n1"), claimant);
    }

    @Test
    void insideItsTeamOnlyWhatLowerClassesHoldIsConceivable() {
        assertThat(conceivable(ownTeam(job(1).gpus(4)), NO_BUDGET)).isTrue();
        assertThat(conceivable(ownTeam(job(1).gpus(5)), NO_BUDGET)).isFalse();
        assertThat(conceivable(ownTeam(job(1).gpus(5).priority(1)), NO_BUDGET)).isTrue();
        assertThat(conceivable(ownTeam(job(1).gpus(1).priority(-100)), NO_BUDGET))
                .isFalse();
    }

    @Test
    void whereATeamTakesTurnsAllItHoldsIsConceivable() {
        var turns = ownTeam(job(1).gpus(5).submitted(Duration.ofHours(9)).had(Duration.ZERO))
                .order("a", TeamOrder.FAIR_FINISH);
        assertThat(conceivable(turns, NO_BUDGET)).isFalse();
        var served = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .order("a", TeamOrder.FAIR_FINISH)
                .jobs(
                        job(11).gpus(8).on("n1").started(Duration.ofHours(9)).had(Duration.ofHours(8)),
                        job(1).gpus(8).submitted(Duration.ofHours(9)).had(Duration.ZERO));
        assertThat(conceivable(served, NO_BUDGET)).isTrue();
    }

    /** Team a holds its guarantee of 4; f keeps what it has. */
    private static Cluster full(int free, Job claimant) {
        return cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4).weight(0))
                .team("f", guaranteed(4 - free))
                .jobs(
                        job(11).gpus(4).on("n1").priority(-100),
                        job(12).team("f").gpus(4 - free).on("n1"),
                        claimant);
    }

    @Test
    void aShareLetsInWhatFitsOnceItsOwnLowerJobsAreGone() {
        assertThat(conceivable(full(0, job(1).gpus(4).notPreemptible()), NO_BUDGET))
                .isTrue();
        assertThat(conceivable(full(1, job(1).gpus(5).notPreemptible()), NO_BUDGET))
                .isFalse();
        assertThat(conceivable(full(1, job(1).gpus(5)), NO_BUDGET)).isTrue();
        assertThat(victims(full(1, job(1).gpus(5)))).containsExactly(11L);
    }

    @Test
    void headsAndPrivilegedClassesAreAlwaysLookedAt() {
        var draft = draft(full(0, job(1).gpus(8)));
        var claimant = claimant(draft);
        var search = new VictimSearch(draft);
        assertThat(search.isConceivable(claimant, claimant.options().getFirst(), false, NO_BUDGET))
                .isFalse();
        assertThat(search.isConceivable(claimant, claimant.options().getFirst(), true, NO_BUDGET))
                .isTrue();
        assertThat(conceivable(full(0, job(1).gpus(8).production(null)), NO_BUDGET))
                .isTrue();
    }

    @Test
    void searchesAreCounted() {
        var draft = draft(lent(4, 0).jobs(job(1).gpus(4)));
        var claimant = claimant(draft);
        var search = new VictimSearch(draft);
        assertThat(search.searches()).isZero();
        search.search(claimant, claimant.options().getFirst(), LevelWish.ANYWHERE, false, NO_BUDGET);
        assertThat(search.searches()).isEqualTo(1);
    }

    @Test
    void aSearchLeavesRoomAndSharesAsTheyWere() {
        var draft = draft(lent(4, 1).jobs(job(1).gpus(5)));
        int held = draft.shares(0).total();
        assertThat(search(draft, false)).isNotNull();
        assertThat(draft.shares(0).total()).isEqualTo(held);
        assertThat(draft.room().future().gpus(0)).isEqualTo(1);
    }

    /** Two racks and a node without one, all held by b; what stopping a job costs is how long it ran. */
    private static Cluster racks(int ranLone, int ranA, int ranB, Job claimant) {
        return cluster()
                .rack("", nodes("x", 1))
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("x1").started(Duration.ofMinutes(ranLone)),
                        job(12).team("b").gpus(8).on("a1").started(Duration.ofMinutes(ranA)),
                        job(13).team("b").gpus(8).on("b1").started(Duration.ofMinutes(ranB)),
                        claimant);
    }

    @Test
    void theDomainThatCostsLeastIsClearedIfItHasTheLabel() {
        var inARack = job(1).replicas(2).gpus(4).require("rack");
        assertThat(victims(racks(20, 40, 30, inARack))).containsExactly(13L);
        assertThat(victims(racks(20, 30, 40, inARack))).containsExactly(12L);
        assertThat(victims(racks(20, 30, 30, inARack))).containsExactly(12L);
        assertThat(victims(racks(20, 40, 30, job(1).replicas(2).gpus(4)))).containsExactly(11L);
        assertThat(search(draft(racks(20, 40, 30, inARack)), false).layout().level())
                .isEqualTo(1);
    }

    @Test
    void nobodyYieldsWhereWhoeverLeavesIsEnough() {
        var leaving = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1"),
                        job(12).team("b").gpus(8).on("n2").stopping(),
                        job(1).replicas(2).gpus(4).require("node"));
        assertThat(victims(leaving)).isEmpty();
    }

    @Test
    void aDomainWithoutEnoughGpusIsNoDomain() {
        var small = cluster()
                .rack("r1", node("a1").gpus(4), node("a2").cordoned())
                .rack("r2", nodes("b", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(4).on("a1").started(Duration.ofMinutes(11)),
                        job(12).team("b").gpus(8).on("b1"),
                        job(13).team("b").gpus(8).on("b2"),
                        job(1).replicas(2).gpus(8).require("rack"));
        assertThat(victims(small)).containsExactly(12L, 13L);
    }

    private static Cluster reserved(Job claimant) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1").started(Duration.ofMinutes(20)),
                        job(12).team("b").gpus(8).on("n2").started(Duration.ofMinutes(40)),
                        job(2).gpus(8),
                        claimant);
    }

    private static Draft headOnFirstNode(Cluster cluster) {
        var draft = draft(cluster);
        var head = draft.problem().claimant(new JobId(2));
        draft.heads()
                .add(new Head(
                        head,
                        head.pool(),
                        NOW.plus(Duration.ofHours(1)),
                        List.of(new Occupant.Spot(0, Resources.gpus(8)))));
        return draft;
    }

    @Test
    void onlyAClaimWithinAGuaranteeTakesWhatIsReservedForAHead() {
        assertThat(victims(headOnFirstNode(reserved(job(1).gpus(8))), false)).containsExactly(11L);
        var privileged = reserved(job(1).team("b").gpus(8).production(null));
        assertThat(victims(headOnFirstNode(privileged), false)).containsExactly(12L);
    }

    @Test
    void aHeadTakesBackWhatOthersWereBackfilledOnHoweverYoung() {
        var backfilled = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(11).gpus(8).on("n1").backfilled().started(Duration.ofMinutes(1)), job(1).gpus(8));
        assertThat(victims(draft(backfilled), true)).containsExactly(11L);
        assertThat(victims(draft(backfilled), false)).isEmpty();
    }

    @Test
    void nodesThatAJobMayNotUseAreNotCleared() {
        var base = cluster()
                .rack("r1", node("n1"), node("n2"), node("n3").cordoned())
                .team("a", guaranteed(8))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1").started(Duration.ofMinutes(20)),
                        job(12).team("b").gpus(8).on("n2").started(Duration.ofMinutes(40)),
                        job(13).team("b").gpus(8).on("n3").started(Duration.ofMinutes(15)));
        assertThat(victims(base.jobs(job(1).gpus(8).excluding("n1")))).containsExactly(12L);
    }

    @Test
    void cpusAreFreedToo() {
        var base = cluster()
                .rack("r1", node("n1").cpus(64))
                .team("a", guaranteed(8))
                .jobs(
                        job(11).gpus(1).cpus(60).on("n1").priority(-1).started(Duration.ofMinutes(40)),
                        job(13).gpus(1).cpus(1).on("n1").priority(-1).started(Duration.ofMinutes(20)));
        assertThat(victims(base.jobs(job(1).gpus(1).cpus(32)))).containsExactly(11L);
    }

    @Test
    void memoryIsFreedToo() {
        long gib = Node.GIB;
        var base = cluster()
                .rack("r1", node("n1").memory(64 * gib))
                .team("a", guaranteed(8))
                .jobs(
                        job(11).gpus(1).memory(60 * gib).on("n1").priority(-1).started(Duration.ofMinutes(40)),
                        job(12).gpus(1).memory(gib).on("n1").priority(-1).started(Duration.ofMinutes(20)));
        assertThat(victims(base.jobs(job(1).gpus(1).memory(32 * gib)))).containsExactly(11L);
    }

    @Test
    void groupsOfSeveralKindsAreClearedForTogether() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1").started(Duration.ofMinutes(20)),
                        job(12).team("b").gpus(4).on("n2").started(Duration.ofMinutes(20)),
                        job(13).team("b").gpus(4).on("n2").started(Duration.ofMinutes(40)));
        var gang = job(1).group("large", 1, Resources.gpus(8)).group("small", 1, Resources.gpus(4));
        var draft = draft(base.jobs(gang));
        var found = search(draft, false);
        assertThat(victims(draft, false)).containsExactly(11L, 12L);
        assertThat(found.layout().nodes()).containsExactly(0, 1);
        assertThat(found.cost()).isEqualTo(20 * 60 * 12);
    }
}
