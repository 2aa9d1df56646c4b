package io.muster.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.scheduling.bench.Workload;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Explanations are made when they are asked for, and only of the world that was planned last. */
class ExplainedTest {
    private final Workload load = new Workload(20, 10);
    private final ClusterSnapshot world = load.snapshot(load.queue(400), List.of(), t -> 1.0);

    @Test
    void oneJobIsToldWhatItIsToldAmongAll() {
        var all = new Scheduler().plan(world).explanations();
        var asked = new Scheduler().plan(world).explained();
        assertThat(all).isNotEmpty();
        for (Explanation explanation : all) {
            assertThat(asked.of(explanation.job())).contains(explanation);
        }
        assertThat(asked.of(new JobId(1))).isEmpty();
    }

    @Test
    void placesAreThoseOfTheOrderWithoutGaps() {
        var places = new Scheduler().plan(world).explanations().stream().mapToInt(Explanation::place);
        assertThat(places.filter(p -> p > 0).sorted().toArray())
                .startsWith(1, 2, 3)
                .doesNotHaveDuplicates();
    }

    @Test
    void aPlanThatIsNoLongerTheLastExplainsNothing() {
        var scheduler = new Scheduler();
        var first = scheduler.plan(world).explained();
        var waiting = world.waiting().getLast().id();
        scheduler.plan(world.withWaiting(world.waiting().subList(0, 300)));
        assertThatIllegalStateException().isThrownBy(() -> first.of(waiting)).withMessageContaining("since");
    }

    @Test
    void whatWasAskedInTimeStays() {
        var scheduler = new Scheduler();
        var first = scheduler.plan(world).explained();
        var told = first.all();
        scheduler.plan(world);
        assertThat(first.all()).isSameAs(told);
    }
}
