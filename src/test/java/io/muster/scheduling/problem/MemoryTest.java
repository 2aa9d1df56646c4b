package io.muster.scheduling.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.bench.Workload;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private final Workload load = new Workload(100, 10);
    private final Memory memory = new Memory();
    private final ClusterSnapshot world = load.snapshot(load.queue(300), List.of(), t -> 1.0);

    private static ClusterSnapshot at(ClusterSnapshot s, Instant asOf, List<WaitingJob> waiting) {
        return new ClusterSnapshot(
                asOf, s.settings(), s.mode(), s.pools(), s.nodes(), s.teams(), waiting, s.running(), s.reservations());
    }

    /** Order, priorities and what jobs share; numbers themselves may differ. */
    private static List<String> order(Problem problem) {
        return problem.claimants().stream()
                .map(c -> c.id() + " " + c.priority() + " " + c.leaf() + " "
                        + c.options().size())
                .toList();
    }

    private void isReadAsByNobodyElse(ClusterSnapshot snapshot) {
        var remembered = memory.read(snapshot);
        assertThat(order(remembered)).isEqualTo(order(Problem.of(snapshot)));
        var numbers = new HashSet<Integer>();
        for (var claimant : remembered.claimants()) {
            assertThat(numbers.add(claimant.number())).isTrue();
            assertThat(remembered.claimant(claimant.id())).isSameAs(claimant);
        }
    }

    @Test
    void onlyWhatIsNewIsRead() {
        isReadAsByNobodyElse(world);
        assertThat(memory.readLately()).isEqualTo(300);
        var waiting = new ArrayList<>(world.waiting());
        waiting.remove(7);
        waiting.add(load.arriving(9_000_000, Workload.NOW));
        isReadAsByNobodyElse(at(world, Workload.NOW, waiting));
        assertThat(memory.readLately()).isEqualTo(1);
    }

    @Test
    void aJobThatBelongsBeforeOthersTakesItsPlace() {
        isReadAsByNobodyElse(world);
        var waiting = new ArrayList<>(world.waiting());
        waiting.add(150, load.arriving(9_000_000, Workload.NOW.minus(Duration.ofHours(5))));
        isReadAsByNobodyElse(at(world, Workload.NOW, waiting));
        assertThat(memory.readLately()).isEqualTo(1);
    }

    @Test
    void whoCameOfAgeMeanwhileIsRaised() {
        isReadAsByNobodyElse(world);
        isReadAsByNobodyElse(at(world, Workload.NOW.plus(Duration.ofHours(3)), world.waiting()));
        assertThat(memory.readLately()).isZero();
        isReadAsByNobodyElse(at(world, Workload.NOW, world.waiting()));
    }

    @Test
    void anotherOrderOfTheListChangesNothing() {
        isReadAsByNobodyElse(world);
        var waiting = new ArrayList<>(world.waiting());
        Collections.shuffle(waiting, new Random(1));
        isReadAsByNobodyElse(at(world, Workload.NOW, waiting));
    }

    @Test
    void anotherFleetIsReadAnew() {
        isReadAsByNobodyElse(world);
        isReadAsByNobodyElse(new Workload(101, 10).snapshot(world.waiting(), List.of(), t -> 1.0));
        assertThat(memory.readLately()).isEqualTo(300);
    }
}
