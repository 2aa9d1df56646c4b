package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.ReplicaPhase;
import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.inventory.NodeCare;
import io.muster.lifecycle.Life;
import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.support.Ground;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class DeadlineStoryTest extends LoopFixture {
    @Autowired
    NodeCare care;

    @Autowired
    Fleet fleet;

    @Autowired
    Quarantine quarantine;

    @Autowired
    Reservations reservations;

    @AfterEach
    void uncordon() {
        care.back(null, new NodeId("n1"));
    }

    @Test
    void aGangThatDoesNotComeUpWholeIsRolledBackWholeAndAvoidsTheSlowNode() {
        JobId job = submit(Ground.document("vision", 2, 8));
        AttemptId attempt = start(job, "n1", "n2");
        observer.observe(List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.RUNNING, null)));
        clock.pass(Duration.ofMinutes(10));

        cycle.run();

        assertThat(job(job).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        dispatch.runAll();
        assertThat(cluster.told()).contains("stop " + attempt + " 10s");
        gone(attempt);
        var back = job(job);
        assertThat(back.life().state()).isEqualTo(JobState.QUEUED);
        assertThat(back.past().excludedNodes()).containsExactly(new NodeId("n2"));
        assertThat(back.past().backoffAfter()).isEqualTo(FailureClass.START_TIMEOUT);
        assertThat(back.past().infrastructureRetriesUsed()).isOne();
        assertThat(back.past().userRetriesUsed()).isZero();
        cycle.run();
        assertThat(planner.seen.waiting()).singleElement().satisfies(w -> {
            assertThat(w.excludedNodes()).containsExactly(new NodeId("n2"));
            assertThat(w.backoff()).isNotNull();
        });
    }

    @Test
    void aDrainedNodeIsLeftThroughCheckpointsAndEmptiedAtItsDeadline() {
        JobId saves = submit(Ground.document("vision", 1, 4));
        AttemptId saving = run(saves, "n1");
        JobId elsewhere = submit(Ground.document("vision", 1, 4));
        run(elsewhere, "n2");
        care.drain(null, "ada", new NodeId("n1"), Duration.ofMinutes(1), "new fans");

        cycle.run();
        assertThat(job(saves).life()).isEqualTo(Life.checkpointing(Life.After.QUEUED));
        assertThat(state(elsewhere)).isEqualTo(JobState.RUNNING);
        clock.pass(Duration.ofMinutes(1));
        cycle.run();

        assertThat(job(saves).life()).isEqualTo(Life.stopping(Life.After.QUEUED));
        gone(saving);
        assertThat(job(saves).past().preemptedAt())
                .as("a drain is no preemption")
                .isEmpty();
    }

    @Test
    void aNodeOnWhichThreeJobsFailByItsFaultIsTakenOutUntilSomebodyReturnsIt() {
        for (int i = 0; i < 3; i++) {
            assertThat(node("n1").cordon()).isNull();
            AttemptId attempt = run(submit(Ground.document("vision", 1, 4)), "n1");
            observer.observe(
                    List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.FAILED, FailureClass.GPU_FAULT)));
            quarantine.keep(fleet.nodes(), clock.instant());
            clock.pass(Duration.ofMinutes(2));
        }
        assertThat(node("n1").cordon().kind()).isEqualTo(Node.Cordon.Kind.QUARANTINE);
        assertThat(node("n2").cordon()).isNull();

        care.back(null, new NodeId("n1"));
        quarantine.keep(fleet.nodes(), clock.instant());

        assertThat(node("n1").cordon()).as("old faults are forgiven").isNull();
    }

    private Node node(String name) {
        return fleet.node(new NodeId(name)).orElseThrow();
    }

    @Test
    void freedGpusAreKeptForTheBeneficiaryUntilThePromiseExpires() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        JobId victim = submit(Ground.document("vision", 1, 8));
        AttemptId attempt = run(victim, "n1");
        planner.next(ask(attempt, urgent), promise(urgent, victim));
        cycle.run();
        assertThat(reservations.all()).singleElement().satisfies(r -> {
            assertThat(r.job()).isEqualTo(urgent);
            assertThat(r.expiresAt()).isNull();
        });
        gone(attempt);

        cycle.run();
        assertThat(planner.seen.reservations())
                .singleElement()
                .satisfies(
                        r -> assertThat(r.expiresAt()).isEqualTo(clock.instant().plus(Duration.ofMinutes(15))));
        clock.pass(Duration.ofMinutes(15));
        cycle.run();

        assertThat(planner.seen.reservations()).isEmpty();
        assertThat(reservations.all()).isEmpty();
    }

    @Test
    void aRepeatedPromiseStaysTheSameAndAStartEndsIt() {
        JobId urgent = submit(Ground.document("vision", 1, 8));
        planner.next(promise(urgent, urgent));
        cycle.run();
        var id = reservations.all().getFirst().id();
        planner.next(promise(urgent, urgent));
        assertThat(cycle.run()).isEqualTo(Cycle.Outcome.QUIET);
        assertThat(reservations.all().getFirst().id()).isEqualTo(id);

        start(urgent, "n1");

        assertThat(reservations.all()).isEmpty();
    }

    private static Decision.Reserve promise(JobId job, JobId victim) {
        return new Decision.Reserve(
                job,
                Ground.POOL,
                Decision.Reserve.Kind.VICTIMS,
                List.of(new ReplicaPlacement("worker", 0, new NodeId("n1"), new Resources(8, 8_000, 64L << 30))),
                null,
                job.equals(victim) ? List.of() : List.of(victim));
    }

    @Test
    void anUnchangedWorldIsReadAsItIs() {
        JobId job = submit(Ground.document("vision", 1, 8));
        run(job, "n1");
        cycle.run();
        var incremental = planner.seen;
        cycle.run();
        assertThat(planner.seen).isEqualTo(incremental);

        picture.forget();
        cycle.run();

        assertThat(planner.seen).as("made anew, it is the same").isEqualTo(incremental);
        assertThat(planner.seen.nodes())
                .hasSize(4)
                .allSatisfy(n -> assertThat(n.domain()).isNotEqualTo(DomainPath.POOL));
    }
}
