package io.muster.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterFact.CheckpointSaved;
import io.muster.gateway.ClusterFact.NodeGone;
import io.muster.gateway.ClusterFact.ProgramFinished;
import io.muster.gateway.ClusterFact.ProgressMade;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.support.Database;
import io.muster.virtual.Rows.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The virtual cluster on a real database, by a clock that the test moves: each look is one call. */
class VirtualHostTest {
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Database database = Database.fresh();
    private final TestClock clock = new TestClock();
    private final ToldFacts told = new ToldFacts();
    private final VirtualParts server = Rows.parts(database, clock, told);

    @BeforeEach
    void begin() {
        server.become(Rows.fleet(4));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void runsAJobFromStartToFinish() {
        start(Rows.attempt(1, 8, "n1", "n2"));
        after(Duration.ofSeconds(1));
        assertThat(phase(1, 0)).isEqualTo(ReplicaPhase.RUNNING);
        after(Duration.ofSeconds(500));
        assertThat(told.all(ProgressMade.class).getLast().step()).isEqualTo(500);
        after(Duration.ofSeconds(500));
        assertThat(told.all(ProgramFinished.class)).hasSize(1);
        assertThat(phase(1, 0)).isEqualTo(ReplicaPhase.SUCCEEDED);
        assertThat(phase(1, 1)).isEqualTo(ReplicaPhase.SUCCEEDED);

        server.cluster().stop(id(1), GRACE);
        after(Duration.ofSeconds(1));
        assertThat(told.isGone(replica(1, 0))).isTrue();
        assertThat(told.isGone(replica(1, 1))).isTrue();
    }

    @Test
    void answersASignalThenStopsAndTheNextAttemptGoesOnFromThere() {
        start(Rows.attempt(1, 8, "n1"));
        after(Duration.ofSeconds(400));
        var signal =
                new CheckpointSignal(UUID.randomUUID(), true, clock.instant().plusSeconds(60));
        server.cluster().signal(id(1), signal);
        server.cluster().signal(id(1), signal);
        after(Duration.ofSeconds(10));

        var save = told.last(CheckpointSaved.class, s -> signal.id().equals(s.signal()))
                .orElseThrow();
        assertThat(save.step()).isEqualTo(399);
        assertThat(phase(1, 0)).isEqualTo(ReplicaPhase.SUCCEEDED);
        server.cluster().stop(id(1), GRACE);
        after(Duration.ofSeconds(1));

        start(Rows.attempt(new AttemptId(new JobId(1), 2), 8, Map.of(), save.step(), "n2"));
        after(Duration.ofSeconds(600));
        assertThat(told.all(ProgramFinished.class)).isEmpty();
        after(Duration.ofSeconds(2));
        assertThat(told.all(ProgramFinished.class)).hasSize(1);
    }

    @Test
    void goesOnInAnotherServerWhereTheFirstStopped() {
        start(Rows.attempt(1, 8, "n1"));
        after(Duration.ofSeconds(100));
        server.host().stop();
        clock.pass(Duration.ofSeconds(1000));

        var restarted = new ToldFacts();
        var other = Rows.parts(database, clock, restarted);
        takeOver(other);
        assertThat(restarted.all(ProgramFinished.class)).hasSize(1);
        assertThat(restarted.replica(replica(1, 0)).orElseThrow().phase()).isEqualTo(ReplicaPhase.SUCCEEDED);
        assertThat(restarted.node(new NodeId("n1"))).isPresent();
    }

    @Test
    void tellsAgainWhatAnObserverCouldNotKeep() {
        look();
        start(Rows.attempt(1, 8, "n1"));
        told.failNext(2); // the batch, then the attempt by itself
        after(Duration.ofSeconds(5));
        assertThat(told.replica(replica(1, 0))).isEmpty();
        look();
        assertThat(told.all(ReplicaSeen.class))
                .extracting(ReplicaSeen::phase)
                .containsExactly(ReplicaPhase.PENDING, ReplicaPhase.PULLING, ReplicaPhase.RUNNING);
    }

    @Test
    void oneServerTellsAtATime() {
        look();
        var others = new ToldFacts();
        var other = Rows.parts(database, clock, others);
        start(Rows.attempt(1, 8, "n1"));
        clock.pass(Duration.ofSeconds(5));
        other.host().look();
        assertThat(others.all()).isEmpty();
        look();
        assertThat(phase(1, 0)).isEqualTo(ReplicaPhase.RUNNING);
    }

    @Test
    void aCommandThatComesWhileFactsAreToldTakesEffectAfterThem() {
        start(Rows.attempt(1, 8, "n1"));
        clock.pass(Duration.ofSeconds(2000));
        // Stopped in the very moment in which the end is being told: both are true, in this order.
        var during = Rows.parts(database, clock, facts -> {
            if (facts.stream().anyMatch(ProgramFinished.class::isInstance)) {
                server.cluster().stop(id(1), GRACE);
            }
            told.observe(facts);
        });
        takeOver(during);
        clock.pass(Duration.ofSeconds(1));
        during.host().look();
        assertThat(told.all(ReplicaSeen.class))
                .extracting(ReplicaSeen::phase)
                .endsWith(ReplicaPhase.SUCCEEDED)
                .doesNotContain(ReplicaPhase.TERMINATING);
        assertThat(told.isGone(replica(1, 0))).isTrue();
    }

    @Test
    void looksOnlyAtWhatIsDue() {
        start(Rows.attempt(1, 8, "n1"));
        start(Rows.attempt(2, 8, "n2"));
        server.cluster().stop(id(2), GRACE);
        after(Duration.ofSeconds(2000));
        look();
        assertThat(database.jdbc()
                        .sql("select count(*) from virtual_attempt where next_due_at is not null")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void aNodeRefusesMoreThanItHas() {
        start(Rows.attempt(1, 6, "n1"));
        var refused = server.cluster().start(Rows.attempt(2, 4, "n2", "n1"));
        assertThat(refused).isInstanceOf(CommandOutcome.Refused.class);
        assertThat(((CommandOutcome.Refused) refused).failure()).isEqualTo(FailureClass.ADMISSION);
        // Nothing of it is left behind.
        assertThat(server.cluster().start(Rows.attempt(3, 8, "n2"))).isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void ofManyInOneCallOnlyThoseAreRefusedForWhomNothingIsLeft() {
        var answers = new ArrayList<>(server.cluster()
                .start(List.of(
                        Rows.attempt(1, 6, "n1"),
                        Rows.attempt(2, 4, "n2", "n1"),
                        Rows.attempt(3, 2, "n1"),
                        Rows.attempt(4, 8, "n2"))));
        assertThat(answers.get(1)).isInstanceOf(CommandOutcome.Refused.class);
        answers.remove(1);
        assertThat(answers).containsOnly(new CommandOutcome.Done()).hasSize(3);
    }

    @Test
    void aNodeRefusesWhatOthersHoldOfIt() {
        server.become(List.of(Rows.withForeign(Rows.node("n1"), new Resources(3, 0, 0))));
        assertThat(server.cluster().start(Rows.attempt(1, 6, "n1"))).isInstanceOf(CommandOutcome.Refused.class);
        assertThat(server.cluster().start(Rows.attempt(2, 5, "n1"))).isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void gpusAreFreeOnceTheEndWasTold() {
        start(Rows.attempt(1, 8, "n1"));
        clock.pass(Duration.ofSeconds(2000));
        assertThat(server.cluster().start(Rows.attempt(2, 8, "n1"))).isInstanceOf(CommandOutcome.Refused.class);
        look();
        assertThat(server.cluster().start(Rows.attempt(2, 8, "n1"))).isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void anImageIsPulledOncePerNode() {
        var first = Map.of("VIRTUAL_PULL", "60s");
        start(Rows.attempt(new AttemptId(new JobId(1), 1), 1, first, null, "n1"));
        clock.pass(Duration.ofSeconds(40));
        start(Rows.attempt(new AttemptId(new JobId(2), 1), 1, first, null, "n1"));
        start(Rows.attempt(new AttemptId(new JobId(3), 1), 1, first, null, "n2"));
        after(Duration.ofSeconds(21));
        assertThat(phase(1, 0)).isEqualTo(ReplicaPhase.RUNNING);
        assertThat(phase(2, 0)).isEqualTo(ReplicaPhase.RUNNING);
        assertThat(phase(3, 0)).isEqualTo(ReplicaPhase.PULLING);
    }

    @Test
    void aLostNodeHoldsItsPodsUntilItIsGivenUp() {
        start(Rows.attempt(1, 8, "n1", "n2"));
        after(Duration.ofSeconds(100));
        assertThat(server.fleet().fail(new NodeId("n2"))).isTrue();
        assertThat(server.fleet().fail(new NodeId("n2"))).isFalse();
        after(Duration.ofSeconds(10));
        assertThat(told.node(new NodeId("n2")).orElseThrow().ready()).isFalse();
        assertThat(phase(1, 1)).isEqualTo(ReplicaPhase.RUNNING);
        server.cluster().stop(id(1), GRACE);
        after(Duration.ofSeconds(10));
        assertThat(told.isGone(replica(1, 0))).isTrue();
        assertThat(told.isGone(replica(1, 1))).isFalse();

        after(Duration.ofSeconds(61));
        look();
        clock.pass(Duration.ofSeconds(1));
        look();
        assertThat(told.last(NodeGone.class, gone -> gone.node().equals(new NodeId("n2"))))
                .isPresent();
        assertThat(told.replica(replica(1, 1)).orElseThrow().failure()).isEqualTo(FailureClass.NODE_LOST);
        assertThat(told.isGone(replica(1, 1))).isTrue();
        assertThat(server.cluster().start(Rows.attempt(2, 8, "n2"))).isInstanceOf(CommandOutcome.Refused.class);

        assertThat(server.fleet().restore(new NodeId("n2"))).isTrue();
        look();
        assertThat(told.node(new NodeId("n2")).orElseThrow().ready()).isTrue();
        assertThat(server.cluster().start(Rows.attempt(3, 8, "n2"))).isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void aNodeThatComesBackSaysThatItsPodsDied() {
        start(Rows.attempt(1, 8, "n1"));
        after(Duration.ofSeconds(100));
        server.fleet().fail(new NodeId("n1"));
        after(Duration.ofSeconds(30));
        server.fleet().restore(new NodeId("n1"));
        after(Duration.ofSeconds(1));
        assertThat(told.replica(replica(1, 0)).orElseThrow().failure()).isEqualTo(FailureClass.NODE_LOST);
        assertThat(told.node(new NodeId("n1")).orElseThrow().ready()).isTrue();
    }

    @Test
    void nodesFailByChanceAndAreRepaired() {
        var weather = Rows.parts(database, clock, told, Duration.ofHours(10));
        takeOver(weather);
        for (int hour = 0; hour < 100; hour++) {
            clock.pass(Duration.ofMinutes(60));
            weather.host().look();
        }
        long outages = database.jdbc()
                .sql("select sum(outages) from virtual_node")
                .query(Long.class)
                .single();
        // 4 nodes for 100 hours with a failure every 10 hours or so; each is away for an hour as looks go.
        assertThat(outages).isBetween(15L, 55L);
        assertThat(told.all(ClusterFact.NodeSeen.class))
                .anyMatch(ClusterFact.NodeSeen::ready)
                .anyMatch(node -> !node.ready());
    }

    @Test
    void aFleetThatShrinksTakesItsNodesAndTheirPodsAway() {
        start(Rows.attempt(1, 8, "n4"));
        after(Duration.ofSeconds(10));
        server.become(Rows.fleet(2));
        after(Duration.ofSeconds(1));
        assertThat(told.all(NodeGone.class))
                .extracting(NodeGone::node)
                .containsExactly(new NodeId("n3"), new NodeId("n4"));
        assertThat(told.isGone(replica(1, 0))).isTrue();
        server.become(Rows.fleet(4));
        assertThat(server.cluster().start(Rows.attempt(2, 8, "n4"))).isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void aShorterGraceCutsALongerOneShort() {
        start(Rows.attempt(new AttemptId(new JobId(1), 1), 8, Map.of("VIRTUAL_IGNORE_SIGTERM", "true"), null, "n1"));
        after(Duration.ofSeconds(10));
        server.cluster().stop(id(1), Duration.ofMinutes(10));
        after(Duration.ofSeconds(10));
        server.cluster().stop(id(1), Duration.ofMinutes(20));
        server.cluster().stop(id(1), Duration.ofSeconds(5));
        after(Duration.ofSeconds(6));
        assertThat(told.isGone(replica(1, 0))).isTrue();
    }

    @Test
    void theFullListHoldsWhatExists() {
        start(Rows.attempt(1, 8, "n1"));
        start(Rows.attempt(2, 8, "n2"));
        after(Duration.ofSeconds(5));
        server.cluster().stop(id(2), GRACE);
        after(Duration.ofSeconds(30));
        takeOver(Rows.parts(database, clock, told));
        var list = told.last(ClusterFact.FullList.class, _ -> true).orElseThrow();
        assertThat(list.replicas()).containsExactly(replica(1, 0));
        assertThat(list.nodes()).hasSize(4);
        assertThat(list.at()).isEqualTo(clock.instant());
    }

    @Test
    void whatIsLongGoneIsForgotten() {
        start(Rows.attempt(1, 8, "n1"));
        server.cluster().stop(id(1), GRACE);
        after(Duration.ofSeconds(10));
        clock.pass(Duration.ofDays(8));
        takeOver(Rows.parts(database, clock, told));
        assertThat(database.jdbc()
                        .sql("select count(*) from virtual_pod")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(database.jdbc()
                        .sql("select count(*) from virtual_image")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void whoHearsOfTheEndOfAPodMaySendAnotherThereAtOnce() {
        start(Rows.attempt(1, 8, "n1"));
        after(Duration.ofSeconds(1));
        var answers = new ArrayList<CommandOutcome>();
        var eager = new VirtualParts[1];
        eager[0] = Rows.parts(
                database,
                clock,
                facts -> facts.forEach(fact -> {
                    if (fact instanceof ClusterFact.ReplicaSeen seen && seen.phase() == ReplicaPhase.SUCCEEDED) {
                        answers.add(eager[0].cluster().start(Rows.attempt(2, 8, "n1")));
                    }
                }));
        takeOver(eager[0]);

        clock.pass(Duration.ofSeconds(1000));
        eager[0].host().look();

        assertThat(answers).isNotEmpty().containsOnly(new CommandOutcome.Done());
    }

    @Test
    void aHostThatDiedBetweenClaimingAndTellingTheEndOfAPodKeepsNobodyFromItsNode() {
        start(Rows.attempt(1, 8, "n1"));
        after(Duration.ofSeconds(1));
        clock.pass(Duration.ofSeconds(1000));
        told.failNext(100);
        look();
        assertThat(told.replica(replica(1, 0)).orElseThrow().phase()).isEqualTo(ReplicaPhase.RUNNING);
        told.failNext(0);

        takeOver(Rows.parts(database, clock, told));

        assertThat(phase(1, 0)).as("the end is told all the same").isEqualTo(ReplicaPhase.SUCCEEDED);
        assertThat(told.isGone(replica(1, 0))).isFalse();
        start(Rows.attempt(2, 8, "n1"));
    }

    private void start(AttemptSpec attempt) {
        assertThat(server.cluster().start(attempt)).isEqualTo(new CommandOutcome.Done());
    }

    private void after(Duration time) {
        clock.pass(time);
        look();
    }

    private void look() {
        server.host().look();
    }

    /** The lease of whoever held it has run out, in real time, and this server looks. */
    private void takeOver(VirtualParts next) {
        database.jdbc().sql("update virtual_host set held_until = 'epoch'").update();
        next.host().look();
    }

    private ReplicaPhase phase(long job, int index) {
        return told.replica(replica(job, index)).orElseThrow().phase();
    }

    private static AttemptId id(long job) {
        return new AttemptId(new JobId(job), 1);
    }

    private static ReplicaId replica(long job, int index) {
        return new ReplicaId(id(job), "worker", index);
    }
}
