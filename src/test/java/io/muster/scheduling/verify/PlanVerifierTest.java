package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.model.TeamOrder;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.verify.Breach.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Good plans are broken in one way at a time; each way must be found, and nothing else. */
class PlanVerifierTest {
    private static final PoolId POOL = new PoolId("gpu");

    private static Decision.Start start(long job, String... nodes) {
        return start(job, 8, nodes);
    }

    private static Decision.Start start(long job, int gpus, String... nodes) {
        var on = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < nodes.length; i++) {
            on.add(new ReplicaPlacement("main", i, new NodeId(nodes[i]), Resources.gpus(gpus)));
        }
        return new Decision.Start(new JobId(job), POOL, new GpuTypeId("H100"), on, null, DomainPath.POOL, false, null);
    }

    private static Decision.RequestCheckpoint request(long victim, long beneficiary, Cause cause) {
        return new Decision.RequestCheckpoint(
                new JobId(victim), new AttemptId(new JobId(victim), 1), new JobId(beneficiary), cause, 8, 0, true);
    }

    private static Decision.Reserve reserve(long job, List<Long> victims, String... nodes) {
        return new Decision.Reserve(
                new JobId(job),
                POOL,
                Decision.Reserve.Kind.VICTIMS,
                start(job, nodes).placements(),
                null,
                victims.stream().map(JobId::new).toList());
    }

    /** The rules that these decisions break, with the shares that the core reports for the same world. */
    private static List<Rule> rules(Cluster cluster, Decision... decisions) {
        var snapshot = cluster.snapshot();
        var shares =
                new Scheduler().plan(snapshot.withWaiting(snapshot.waiting())).shares();
        return PlanVerifier.verify(snapshot, new SchedulingPlan(List.of(decisions), List.of(), shares)).stream()
                .map(Breach::rule)
                .distinct()
                .toList();
    }

    private static Cluster two() {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .jobs(job(1).team("a").gpus(8), job(2).team("b").gpus(8));
    }

    @Test
    void goodPlansPass() {
        assertThat(rules(two(), start(1, "n1"), start(2, "n2"))).isEmpty();
    }

    @Test
    void gpusGivenTwice() {
        assertThat(rules(two(), start(1, "n1"), start(2, "n1"))).containsExactly(Rule.CAPACITY);
    }

    @Test
    void gpusThatSomebodyHolds() {
        assertThat(rules(two().jobs(job(9).team("b").gpus(1).on("n1").stopping()), start(1, "n1")))
                .containsExactly(Rule.CAPACITY);
    }

    @Test
    void moreCpuThanThereIs() {
        var base = cluster()
                .rack("r1", node("n1").cpus(4))
                .rack("r2", node("n2").cpus(64))
                .team("a", guaranteed(8))
                .jobs(job(1).gpus(8).cpus(8));
        var good = new Scheduler().plan(base.snapshot());
        var start = (Decision.Start) good.decisions().getFirst();
        var moved = moved(start, p -> new ReplicaPlacement(p.group(), p.index(), new NodeId("n1"), p.amount()));
        assertThat(rules(base, start)).isEmpty();
        assertThat(rules(base, moved)).containsExactly(Rule.CAPACITY);
    }

    private static Decision.Start moved(Decision.Start s, UnaryOperator<ReplicaPlacement> change) {
        return new Decision.Start(
                s.job(),
                s.pool(),
                s.gpuType(),
                s.placements().stream().map(change).toList(),
                s.level(),
                s.domain(),
                s.backfilled(),
                s.consumes());
    }

    @Test
    void halfAGang() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(1).replicas(2).gpus(8));
        assertThat(rules(base, start(1, "n1"))).containsExactly(Rule.GANG_NOT_WHOLE);
        assertThat(rules(base, start(1, 4, "n1", "n2"))).containsExactly(Rule.GANG_NOT_WHOLE);
        assertThat(rules(base, start(1, "n1", "n2"))).isEmpty();
    }

    @Test
    void twoTypesOrAWrongPool() {
        var base = cluster()
                .rack("r1", node("n1"), node("n2").type("A100"))
                .team("a", guaranteed(16))
                .jobs(job(1).replicas(2).gpus(8).types("H100", "A100"));
        assertThat(rules(base, start(1, "n1", "n2"))).containsExactly(Rule.WRONG_POOL_OR_TYPE);
    }

    @Test
    void nodesThatTakeNoReplicasOrAreExcludedOrUnknown() {
        var base = cluster()
                .rack("r1", node("n1").cordoned(), node("n2"))
                .team("a", guaranteed(16))
                .jobs(job(1).gpus(8).excluding("n2"));
        assertThat(rules(base, start(1, "n1"))).containsExactly(Rule.NODE_TAKES_NO_REPLICAS);
        assertThat(rules(base, start(1, "n2"))).containsExactly(Rule.EXCLUDED_NODE);
        assertThat(rules(base, start(1, "n3"))).containsExactly(Rule.NODE_TAKES_NO_REPLICAS);
    }

    @Test
    void nobodyYieldsForAnImageThatCouldNotBePulled() {
        var base = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(job(9).team("b").gpus(8).on("n1").started(Duration.ofHours(1)));
        var plan = new Decision[] {request(9, 1, Cause.RECLAIM), reserve(1, List.of(9L), "n1")};
        assertThat(rules(base.jobs(job(1).team("a").gpus(8).imageUnseen()), plan))
                .containsExactly(Rule.IMAGE_UNSEEN);
    }

    @Test
    void aSliceIsNotTorn() {
        var base = cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .team("a", guaranteed(16))
                .jobs(job(1).replicas(4).gpus(2).slices(2, "rack"));
        assertThat(rules(base, start(1, 2, "a1", "b1", "b1", "b1"))).containsExactly(Rule.TOPOLOGY);
        assertThat(rules(base, start(1, 2, "a1", "b1", "b1", "a1"))).containsExactly(Rule.TOPOLOGY);
        assertThat(rules(base, start(1, 2, "b1", "b1", "a1", "a1"))).isEmpty();
        assertThat(rules(base, start(1, 2, "b1", "b1", "b1", "b1"))).isEmpty();
    }

    @Test
    void theRequiredAndThePatientlyPreferredDomain() {
        var base = cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .team("a", guaranteed(16))
                .jobs(
                        job(1).replicas(2).gpus(4).require("rack"),
                        job(2).replicas(2).gpus(4).prefer("rack", Duration.ofHours(1)),
                        job(3).replicas(2).gpus(4).prefer("rack", Duration.ofMinutes(1)));
        assertThat(rules(base, start(1, 4, "a1", "b1"))).containsExactly(Rule.TOPOLOGY);
        assertThat(rules(base, start(1, 4, "a1", "a1"))).isEmpty();
        assertThat(rules(base, start(2, 4, "a1", "b1"))).containsExactly(Rule.TOPOLOGY);
        assertThat(rules(base, start(3, 4, "a1", "b1"))).isEmpty();
    }

    @Test
    void limitsAndCapsAndGuarantees() {
        var limited = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).limit(8))
                .jobs(job(1).gpus(8), job(2).gpus(8));
        assertThat(rules(limited, start(1, "n1"), start(2, "n2"))).containsExactly(Rule.TEAM_LIMIT);
        var capped = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .userCap("a", 8)
                .jobs(job(1).gpus(8), job(2).gpus(8));
        assertThat(rules(capped, start(1, "n1"), start(2, "n2"))).containsExactly(Rule.USER_CAP);
        var firm = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(4))
                .jobs(job(1).gpus(8).notPreemptible());
        assertThat(rules(firm, start(1, "n1"))).containsExactly(Rule.GUARANTEE);
    }

    @Test
    void jobsThatDoNotWaitOrWaitOutAFailureOrAreStartedTwice() {
        assertThat(rules(two(), start(77, "n1"))).containsExactly(Rule.UNKNOWN_JOB);
        assertThat(rules(two(), start(1, "n1"), start(1, "n2"))).contains(Rule.DECIDED_TWICE);
        var base = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(job(1).gpus(8).backoff(Duration.ofMinutes(1)));
        assertThat(rules(base, start(1, "n1"))).containsExactly(Rule.BACKOFF);
    }

    @Test
    void whatIsKeptForAnother() {
        var promised = two().reserve(ReservationView.Kind.VICTIMS, 2, null, 8, "n1");
        assertThat(rules(promised, start(1, "n1"))).containsExactly(Rule.RESERVATION);
        assertThat(rules(promised, start(2, "n1"))).isEmpty();
        var headed = two().reserve(ReservationView.Kind.HEAD, 2, Duration.ofHours(1), 8, "n1");
        assertThat(rules(headed, start(1, "n1"))).containsExactly(Rule.RESERVATION);
        var foreign = moved(start(1, "n2"), p -> p);
        var stolen = new Decision.Start(
                foreign.job(),
                POOL,
                foreign.gpuType(),
                foreign.placements(),
                null,
                DomainPath.POOL,
                false,
                new ReservationId(Ids.uuid("reservation 2")));
        assertThat(rules(headed, stolen)).containsExactly(Rule.RESERVATION);
    }

    /** Team b holds both nodes; a is owed one. */
    private static Cluster owed(@Nullable Duration victimRan) {
        var ran = victimRan == null ? Duration.ofHours(1) : victimRan;
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .jobs(
                        job(11).team("b").gpus(8).on("n1").started(ran),
                        job(12).team("b").gpus(8).on("n2").started(ran),
                        job(1).team("a").gpus(8),
                        job(2).team("b").gpus(8).priority(-100));
    }

    @Test
    void rightfulVictimsPass() {
        assertThat(rules(owed(null), request(11, 1, Cause.RECLAIM), reserve(1, List.of(11L), "n1")))
                .isEmpty();
    }

    @Test
    void victimsInsideTheirMinimumRunTime() {
        var young = owed(Duration.ofMinutes(5));
        assertThat(rules(young, request(11, 1, Cause.RECLAIM), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_PROTECTED);
    }

    @Test
    void victimsOfTeamsThatAreNotAboveTheirShare() {
        assertThat(rules(
                        owed(null),
                        request(11, 1, Cause.RECLAIM),
                        request(12, 1, Cause.RECLAIM),
                        reserve(1, List.of(11L, 12L), "n1")))
                .containsExactly(Rule.VICTIM_RULE, Rule.VICTIM_NOT_NEEDED);
    }

    @Test
    void victimsOfEqualOrHigherPriority() {
        assertThat(rules(owed(null), request(11, 2, Cause.PREEMPTION), reserve(2, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
        assertThat(rules(owed(null), request(11, 1, Cause.ACROSS_TEAMS), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
        assertThat(rules(owed(null), request(11, 1, Cause.BACKFILL), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void victimsForNobodyAndPromisesWithoutVictims() {
        assertThat(rules(owed(null), request(11, 1, Cause.RECLAIM))).containsExactly(Rule.NO_BENEFICIARY);
        assertThat(rules(owed(null), reserve(1, List.of(11L), "n1"))).contains(Rule.CAPACITY, Rule.VICTIM_RULE);
        assertThat(rules(owed(null), request(99, 1, Cause.RECLAIM))).containsExactly(Rule.UNKNOWN_JOB);
    }

    @Test
    void moreReclaimedThanTheRateAllows() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a")
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1"),
                        job(12).team("b").gpus(8).on("n2"),
                        job(1).team("a").gpus(8));
        var beyond = new Decision.RequestCheckpoint(
                new JobId(11), new AttemptId(new JobId(11), 1), new JobId(1), Cause.RECLAIM, 8, 0, false);
        assertThat(rules(base, beyond, reserve(1, List.of(11L), "n1"))).containsExactly(Rule.VICTIM_RULE);
        assertThat(rules(base, request(11, 1, Cause.RECLAIM), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void whatPeopleForbid() {
        var paused = two().mode(new ModeView("x", null, null, Map.of(), Map.of()));
        assertThat(rules(paused, start(1, "n1"))).containsExactly(Rule.MODE);
        var pool = two().mode(new ModeView(null, null, null, Map.of(POOL, "x"), Map.of()));
        assertThat(rules(pool, start(1, "n1"))).containsExactly(Rule.MODE);
        var team = two().mode(new ModeView(null, null, null, Map.of(), Map.of(Ids.team("a"), "x")));
        assertThat(rules(team, start(1, "n1"))).containsExactly(Rule.MODE);
        assertThat(rules(team, start(2, "n1"))).isEmpty();
        var frozen = owed(null).mode(new ModeView(null, "x", null, Map.of(), Map.of()));
        assertThat(rules(frozen, request(11, 1, Cause.RECLAIM), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.MODE);
    }

    @Test
    void stopsBeforeTheTimeIsUp() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a")
                .jobs(
                        job(11).gpus(8).on("n1").walltime(Duration.ofHours(2)),
                        job(12).gpus(8).on("n2").walltime(Duration.ofMinutes(59)));
        var early = new Decision.Stop(new JobId(11), new AttemptId(new JobId(11), 1));
        var due = new Decision.Stop(new JobId(12), new AttemptId(new JobId(12), 1));
        assertThat(rules(base, early)).containsExactly(Rule.WALLTIME);
        assertThat(rules(base, due)).isEmpty();
    }

    @Test
    void heads() {
        var good = new Decision.Reserve(
                new JobId(1), POOL, Decision.Reserve.Kind.HEAD, start(1, "n1").placements(), NOW, List.of());
        var timeless = new Decision.Reserve(
                new JobId(1), POOL, Decision.Reserve.Kind.HEAD, start(1, "n1").placements(), null, List.of());
        assertThat(rules(two(), good)).isEmpty();
        assertThat(rules(two(), timeless)).containsExactly(Rule.RESERVATION);
        var nothing = new Decision.Unreserve(new JobId(1), new ReservationId(Ids.uuid("none")), "x");
        assertThat(rules(two(), nothing)).containsExactly(Rule.RESERVATION);
    }

    @Test
    void falseShareRowsChangeNothingAndAreFound() {
        var snapshot = owed(null).snapshot();
        var plan = new Scheduler().plan(snapshot);
        assertThat(PlanVerifier.misreported(snapshot, plan)).isEmpty();
        var generous = plan.shares().stream().map(PlanVerifierTest::generous).toList();
        var bad = List.<Decision>of(
                request(11, 1, Cause.RECLAIM), request(12, 1, Cause.RECLAIM), reserve(1, List.of(11L, 12L), "n1"));
        var forged = new SchedulingPlan(bad, List.of(), generous);
        assertThat(PlanVerifier.verify(snapshot, forged))
                .extracting(Breach::rule)
                .contains(Rule.VICTIM_RULE);
        assertThat(PlanVerifier.misreported(snapshot, new SchedulingPlan(plan.decisions(), List.of(), generous)))
                .hasSize(2);
    }

    private static ShareRow generous(ShareRow r) {
        return new ShareRow(
                r.team(),
                r.pool(),
                r.guaranteed(),
                r.promised(),
                r.limit(),
                r.weight(),
                r.entitlement(),
                r.deserved() + 8,
                r.demand(),
                r.allocated(),
                r.borrowed(),
                r.lent(),
                r.withheld(),
                r.surplus());
    }

    @Test
    void borrowingWhatATeamKeepsToItself() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).lendable(0))
                .team("b", guaranteed(8))
                .jobs(job(11).team("b").gpus(8).on("n1"), job(2).team("b").gpus(8));
        assertThat(rules(base, start(2, "n2"))).containsExactly(Rule.WITHHELD);
    }

    @Test
    void turnsThatAreNotTheirs() {
        var served = Duration.ofHours(8);
        for (var order : TeamOrder.values()) {
            boolean takesTurns = order != TeamOrder.FIFO;
            assertThat(turn(order, Duration.ZERO, served)).hasSize(takesTurns ? 0 : 1);
            assertThat(turn(order, served, Duration.ofHours(2))).containsExactly(Rule.VICTIM_RULE);
        }
        var base = hadLittleAndMuch(TeamOrder.ATTAINED_SERVICE, Duration.ZERO, served)
                .jobs(job(2).gpus(8).priority(100));
        assertThat(rules(base, request(11, 2, Cause.TURN), reserve(2, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void turnsThatCostMoreThanTheySave() {
        for (var order : List.of(TeamOrder.ATTAINED_SERVICE, TeamOrder.FAIR_FINISH)) {
            var base = cluster()
                    .rack("r1", nodes("n", 1))
                    .team("a", guaranteed(8))
                    .order("a", order)
                    .jobs(
                            job(11).gpus(8)
                                    .on("n1")
                                    .started(Duration.ofHours(8))
                                    .had(Duration.ofHours(8)),
                            job(1).gpus(8).submitted(Duration.ofHours(8)));
            assertThat(rules(base, request(11, 1, Cause.TURN), reserve(1, List.of(11L), "n1")))
                    .as("it saved nothing in eight hours: " + order)
                    .containsExactly(Rule.VICTIM_RULE);
        }
    }

    private static List<Rule> turn(TeamOrder order, Duration its, Duration victims) {
        return rules(hadLittleAndMuch(order, its, victims), request(11, 1, Cause.TURN), reserve(1, List.of(11L), "n1"));
    }

    private static Cluster hadLittleAndMuch(TeamOrder order, Duration its, Duration victims) {
        return cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .order("a", order)
                .jobs(
                        job(11).gpus(8)
                                .on("n1")
                                .started(Duration.ofHours(9))
                                .checkpointed(Duration.ofMinutes(1))
                                .had(victims),
                        job(1).gpus(8).submitted(Duration.ofHours(9)).had(its));
    }

    @Test
    void takingTheShareThatAHeadNeeds() {
        var base = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(16).limit(16))
                .jobs(
                        job(11).gpus(8).on("n1").walltime(Duration.ofHours(2)),
                        job(1).gpus(8).submitted(Duration.ofHours(3)),
                        job(2).gpus(8))
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofHours(1), 8, "n1");
        assertThat(rules(base, start(2, "n2"))).containsExactly(Rule.HEAD_SHARE);
    }

    @Test
    void moreVictimsThanTheBeneficiaryNeeds() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(11).gpus(8).on("n1").priority(-100),
                        job(12).gpus(8).on("n2").priority(-100),
                        job(1).gpus(8).priority(100));
        assertThat(rules(base, request(11, 1, Cause.PREEMPTION), reserve(1, List.of(11L), "n1")))
                .isEmpty();
        assertThat(rules(
                        base,
                        request(11, 1, Cause.PREEMPTION),
                        request(12, 1, Cause.PREEMPTION),
                        reserve(1, List.of(11L, 12L), "n1")))
                .containsExactly(Rule.VICTIM_NOT_NEEDED);
    }

    @Test
    void headsThatWillNotHaveTheirPlace() {
        var base = two().jobs(job(11).team("a").gpus(8).on("n1").walltime(Duration.ofHours(3)));
        assertThat(rules(base, head(1, Duration.ofHours(2), "n1"))).isEmpty();
        assertThat(rules(base, head(1, Duration.ofHours(1), "n1"))).containsExactly(Rule.RESERVATION);
    }

    private static Decision.Reserve head(long job, Duration startsIn, String node) {
        return new Decision.Reserve(
                new JobId(job),
                POOL,
                Decision.Reserve.Kind.HEAD,
                start(job, node).placements(),
                NOW.plus(startsIn),
                List.of());
    }

    @Test
    void oneBadDecisionIsCutOutWithWhatDependsOnIt() {
        var snapshot = owed(Duration.ofMinutes(5))
                .jobs(job(3).team("a").gpus(0).cpus(1))
                .snapshot();
        var shares = new Scheduler().plan(snapshot).shares();
        var small = new Decision.Start(
                new JobId(3),
                POOL,
                new GpuTypeId("H100"),
                List.of(new ReplicaPlacement("main", 0, new NodeId("n1"), new Resources(0, 1_000, 0))),
                null,
                DomainPath.POOL,
                false,
                null);
        var plan = new SchedulingPlan(
                List.of(request(11, 1, Cause.RECLAIM), reserve(1, List.of(11L), "n1"), small), List.of(), shares);
        var sound = PlanVerifier.sound(snapshot, plan);
        assertThat(sound.plan().decisions()).containsExactly(small);
        assertThat(sound.breaches()).extracting(Breach::rule).contains(Rule.VICTIM_PROTECTED);
        assertThat(sound.plan().explanations()).extracting(e -> e.job().value()).containsExactly(1L);
    }

    private static Decision.Reserve move(long job, int gpus, String... nodes) {
        return new Decision.Reserve(
                new JobId(job),
                POOL,
                Decision.Reserve.Kind.MOVE,
                start(job, gpus, nodes).placements(),
                null,
                List.of());
    }

    private static Decision.RequestCheckpoint asked(long mover, long beneficiary) {
        return new Decision.RequestCheckpoint(
                new JobId(mover), new AttemptId(new JobId(mover), 1), new JobId(beneficiary), Cause.MOVE, 2, 0);
    }

    /** Job 11 holds two GPUs of n1 and could go to n2, where two are left, for job 1. */
    private static Cluster movable() {
        return cluster()
                .rack("r1", nodes("n", 2))
                .rack("r2", nodes("m", 1))
                .team("a", guaranteed(24))
                .jobs(
                        job(11).gpus(2).on("n1").checkpointed(Duration.ofMinutes(1)),
                        job(21).gpus(5).on("n2"),
                        job(1).gpus(8));
    }

    @Test
    void goodMovesPass() {
        assertThat(rules(movable(), asked(11, 1), move(11, 2, "n2"), reserve(1, List.of(11L), "n1")))
                .isEmpty();
    }

    @Test
    void moveWithoutANewPlace() {
        assertThat(rules(movable(), asked(11, 1), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.NO_NEW_PLACE);
    }

    @Test
    void newPlaceForAJobThatNobodyAskedToMove() {
        assertThat(rules(movable(), move(11, 2, "n2"))).contains(Rule.NO_NEW_PLACE);
    }

    @Test
    void newPlaceThatIsTheBeneficiarysOwn() {
        assertThat(rules(movable(), asked(11, 1), move(11, 2, "n1"), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.CAPACITY);
    }

    @Test
    void newPlaceThatIsTakenOrPromised() {
        assertThat(rules(
                        movable().jobs(job(22).gpus(2).on("n2")),
                        asked(11, 1),
                        move(11, 2, "n2"),
                        reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.CAPACITY);
        assertThat(rules(
                        movable().jobs(job(2).gpus(2)).reserve(ReservationView.Kind.VICTIMS, 2, null, 2, "n2"),
                        asked(11, 1),
                        move(11, 2, "n2"),
                        reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.RESERVATION);
    }

    @Test
    void newPlaceForAPartOfTheGang() {
        assertThat(rules(movable(), asked(11, 1), move(11, 1, "n2"), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.GANG_NOT_WHOLE);
    }

    @Test
    void moveOfAJobThatLosesAllItDid() {
        var unsaved = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(11).gpus(2).on("n1"), job(21).gpus(5).on("n2"), job(1).gpus(8));
        assertThat(rules(unsaved, asked(11, 1), move(11, 2, "n2"), reserve(1, List.of(11L), "n1")))
                .containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void moveThatTheGangDoesNotNeed() {
        assertThat(rules(
                        movable()
                                .jobs(job(12).gpus(1)
                                        .on("n1")
                                        .checkpointed(Duration.ofMinutes(1))
                                        .stopping()),
                        asked(11, 1),
                        move(11, 2, "n2"),
                        reserve(1, List.of(11L), "n2")))
                .contains(Rule.CAPACITY);
        var roomy = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(job(11).gpus(2).on("n1").checkpointed(Duration.ofMinutes(1)), job(1).gpus(8));
        assertThat(rules(roomy, asked(11, 1), move(11, 2, "n2"), reserve(1, List.of(11L), "n3")))
                .contains(Rule.VICTIM_NOT_NEEDED);
    }

    /** A place that is kept for a job that leaves is nobody else's. */
    @Test
    void startOnThePlaceOfAMover() {
        var moving = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(11).gpus(2).on("n1").leavingFor(1), job(1).gpus(8), job(2).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .reserve(ReservationView.Kind.MOVE, 11, null, 2, "n2");
        assertThat(rules(moving, start(2, "n2"))).contains(Rule.RESERVATION);
    }
}
