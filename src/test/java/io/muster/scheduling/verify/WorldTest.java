package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.verify.Plans.POOL;
import static io.muster.scheduling.verify.Plans.ids;
import static io.muster.scheduling.verify.Plans.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static final JobId ONE = new JobId(1);
    private static final JobId TWO = new JobId(2);
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = new World(base().snapshot());

    private static Cluster base() {
        return cluster()
                .rack("r1", nodes("n", 3))
                .team("a")
                .jobs(job(1).gpus(8), job(2).gpus(8), job(11).gpus(2).on("n1").walltime(Duration.ofHours(3)));
    }

    private NodeView node(String name) {
        return world.nodes.get(new NodeId(name));
    }

    private int later(String node, JobId job) {
        return world.freeLater(node(node), job).gpus();
    }

    private static Duration endsIn(Job job) {
        var world = new World(
                cluster().rack("r1", nodes("n", 1)).team("a").jobs(job).snapshot());
        return Duration.between(NOW, world.end(world.running.get(job.jobId())));
    }

    @Test
    void anOverdueJobIsGivenAsLongAgainAndAtLeastAMinute() {
        var due = job(1).on("n1").walltime(Duration.ofSeconds(10));
        assertThat(endsIn(due.started(Duration.ofSeconds(5)))).isEqualTo(Duration.ofSeconds(5));
        assertThat(endsIn(due.started(Duration.ofSeconds(10)))).isEqualTo(Duration.ofMinutes(1));
        assertThat(endsIn(due.started(Duration.ofSeconds(90)))).isEqualTo(Duration.ofSeconds(90));
        assertThat(endsIn(due.started(Duration.ofHours(3)))).isEqualTo(Duration.ofHours(3));
        assertThat(endsIn(due.starting().started(Duration.ofSeconds(5)))).isEqualTo(Duration.ofSeconds(5));
        assertThat(endsIn(job(1).on("n1").started(HOUR))).isEqualTo(Duration.ofHours(23));
    }

    @Test
    void onlyWhoLeavesForSomebodyMovesOn() {
        var snapshot = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(
                        job(1).on("n1"),
                        job(2).on("n1").stopping(),
                        job(3).on("n1").leavingFor(9))
                .snapshot();
        assertThat(snapshot.running().stream().filter(World::movesOn).map(j -> j.id()))
                .containsExactly(ids(3));
    }

    @Test
    void aStartEndsWhatWasPromised() {
        world.promise(ONE, on(8, "n2"));
        assertThat(later("n2", TWO)).isZero();
        assertThat(later("n2", ONE)).isEqualTo(8);
        assertThat(world.promisedTo(ONE)).containsEntry(new NodeId("n2"), Resources.gpus(8));
        world.start(world.waiting.get(ONE), on(8, "n3"), false);
        assertThat(later("n2", TWO)).isEqualTo(8);
        assertThat(world.freeNow(node("n3")).gpus()).isZero();
        assertThat(world.promisedTo(ONE)).isEmpty();
    }

    @Test
    void aNewPromiseReplacesTheOldOneAndAHeadReplacesBoth() {
        world.promise(ONE, on(8, "n2"));
        world.promise(ONE, on(8, "n3"));
        assertThat(later("n2", TWO)).isEqualTo(8);
        assertThat(later("n3", TWO)).isZero();
        world.reserve(ONE, POOL, on(8, "n2"), NOW.plus(HOUR));
        assertThat(later("n3", TWO)).isEqualTo(8);
        assertThat(world.headsOf(POOL, TWO)).containsExactly(ONE);
        world.promise(ONE, on(8, "n2"));
        assertThat(world.headsOf(POOL, TWO)).isEmpty();
    }

    @Test
    void headsCountForOthersInTheirPoolUntilThePlanMovesThem() {
        world.reserve(ONE, POOL, on(8, "n2"), NOW.plus(HOUR));
        assertThat(world.firstHead(POOL, TWO)).isEqualTo(NOW.plus(HOUR));
        assertThat(world.firstHead(POOL, ONE)).isNull();
        assertThat(world.firstHead(new PoolId("other"), TWO)).isNull();
        assertThat(world.headGpus(ONE)).isEqualTo(8);
        assertThat(world.isReservedForHead(node("n2"), TWO)).isTrue();
        assertThat(world.isReservedForHead(node("n2"), ONE)).isFalse();
        assertThat(world.isReservedForHead(node("n3"), TWO)).isFalse();
        world.moving.add(ONE);
        assertThat(world.firstHead(POOL, TWO)).isNull();
        assertThat(world.isReservedForHead(node("n2"), TWO)).isFalse();
        assertThat(world.headsOf(POOL, TWO)).isEmpty();
    }

    @Test
    void whatIsLeftBesideAHeadIsCountedAtItsTime() {
        world.reserve(ONE, POOL, on(4, "n1"), NOW.plus(HOUR));
        // The job that runs there goes on for two hours.
        assertThat(world.freeBeyondHeads(node("n1"), TWO).gpus()).isEqualTo(8 - 4 - 2);
        assertThat(world.freeBeyondHeads(node("n1"), ONE).gpus()).isEqualTo(8);
        assertThat(world.freeBeyondHeads(node("n2"), TWO).gpus()).isEqualTo(8);
        world.reserve(ONE, POOL, on(4, "n1"), NOW.plus(HOUR.multipliedBy(2)));
        assertThat(world.freeBeyondHeads(node("n1"), TWO).gpus()).isEqualTo(8 - 4);
    }

    @Test
    void headsOfThePlanCountOnceAtItsEnd() {
        world.reserve(ONE, POOL, on(4, "n2"), NOW.plus(HOUR));
        world.toCome.put(ONE, on(4, "n2"));
        world.toCome.put(TWO, on(2, "n2", "n3"));
        assertThat(world.reservedForHeadsAtLast(node("n2"), new JobId(3)).gpus())
                .isEqualTo(4 + 2);
        assertThat(world.reservedForHeadsAtLast(node("n2"), TWO).gpus()).isEqualTo(4);
        assertThat(world.reservedForHeadsAtLast(node("n2"), ONE).gpus()).isEqualTo(2);
    }

    @Test
    void aHeadIsOfAWaitingJobAndAMoveOfOneThatLeaves() {
        var snapshot = base().jobs(job(12).gpus(2).on("n1").leavingFor(1))
                .reserve(ReservationView.Kind.HEAD, 11, HOUR, 2, "n2")
                .reserve(ReservationView.Kind.HEAD, 12, HOUR, 2, "n2")
                .reserve(ReservationView.Kind.MOVE, 12, null, 2, "n3")
                .snapshot();
        var read = new World(snapshot);
        assertThat(read.reservations.keySet()).containsExactly(ids(12));
        assertThat(read.headsOf(POOL, ONE)).isEmpty();
        assertThat(read.promisedTo(new JobId(12))).containsOnlyKeys(new NodeId("n3"));
    }

    @Test
    void aHeadIsMetWhenItsPlaceIsFreeBesideTheOthers() {
        world.reserve(ONE, POOL, on(6, "n1"), NOW.plus(HOUR));
        assertThat(world.canBeMet(ONE)).isTrue();
        world.reserve(TWO, POOL, on(1, "n1"), NOW.plus(HOUR));
        assertThat(world.canBeMet(ONE)).isFalse();
        assertThat(world.canBeMet(new JobId(3))).isTrue();
        world.reserve(ONE, POOL, on(6, "gone"), NOW.plus(HOUR));
        assertThat(world.canBeMet(ONE)).isFalse();
    }

    @Test
    void whatIsNotAskedForCannotBeShort() {
        var lacking = new Resources(-1, -1, -1);
        assertThat(Fit.fits(Resources.NONE, lacking)).isTrue();
        for (var one : new Resources[] {new Resources(1, 0, 0), new Resources(0, 1, 0), new Resources(0, 0, 1)}) {
            assertThat(Fit.fits(one, lacking)).isFalse();
            assertThat(Fit.fits(one, one)).isTrue();
        }
    }
}
