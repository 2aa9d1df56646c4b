package io.muster.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.lifecycle.Life.After;
import io.muster.lifecycle.Transition.Moved;
import io.muster.model.JobState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people complained of in public about the lives of jobs elsewhere, as the behaviour that Muster shows instead. */
class LifecycleComplaintsTest {
    private static final List<LifecycleEvent> LATE_NEWS = List.of(
            new LifecycleEvent.GangRunning(),
            new LifecycleEvent.CheckpointSaved(),
            new LifecycleEvent.CheckpointDeadlinePassed(),
            new LifecycleEvent.GangBroken(After.QUEUED),
            new LifecycleEvent.GangSucceeded(),
            new LifecycleEvent.ProgramFinished(),
            new LifecycleEvent.PodsGone());

    /** k8s#117955. */
    @Test
    void terminalStatesNeverRegressWhateverNewsComesLate() {
        for (var state : List.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)) {
            assertThat(LATE_NEWS)
                    .as(state + " stays")
                    .noneMatch(news -> Lifecycle.next(Life.of(state), news) instanceof Moved);
        }
    }

    /** kueue#14811, kueue#10407. */
    @Test
    void aStoppedJobHoldsItsGpusUntilItsPodsAreGone() {
        for (var after : List.of(After.QUEUED, After.FAILED, After.HELD, After.CANCELLED)) {
            var stopping = Life.stopping(after);
            for (var news : LATE_NEWS) {
                boolean ends = Lifecycle.next(stopping, news) instanceof Moved moved
                        && moved.to().state() != JobState.STOPPING;
                assertThat(ends).as(after + " after " + news).isEqualTo(news instanceof LifecycleEvent.PodsGone);
            }
        }
    }

    /** KAI#1968. */
    @Test
    void aGangWhoseReplicasAllSucceededIsNotABrokenGang() {
        assertThat(Lifecycle.next(Life.of(JobState.RUNNING), new LifecycleEvent.GangSucceeded()))
                .isEqualTo(new Moved(Life.of(JobState.SUCCEEDED)));
        assertThat(Lifecycle.next(Life.of(JobState.SUCCEEDED), new LifecycleEvent.GangBroken(After.QUEUED)))
                .isNotInstanceOf(Moved.class);
    }
}
