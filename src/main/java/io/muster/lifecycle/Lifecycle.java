package io.muster.lifecycle;

import io.muster.lifecycle.Life.After;
import io.muster.lifecycle.LifecycleEvent.Cancel;
import io.muster.lifecycle.LifecycleEvent.CheckpointDeadlinePassed;
import io.muster.lifecycle.LifecycleEvent.CheckpointSaved;
import io.muster.lifecycle.LifecycleEvent.GangBroken;
import io.muster.lifecycle.LifecycleEvent.GangRunning;
import io.muster.lifecycle.LifecycleEvent.GangSucceeded;
import io.muster.lifecycle.LifecycleEvent.Hold;
import io.muster.lifecycle.LifecycleEvent.PodsGone;
import io.muster.lifecycle.LifecycleEvent.ProgramFinished;
import io.muster.lifecycle.LifecycleEvent.Release;
import io.muster.lifecycle.LifecycleEvent.RequestCheckpoint;
import io.muster.lifecycle.LifecycleEvent.Start;
import io.muster.lifecycle.LifecycleEvent.Stop;
import io.muster.lifecycle.Transition.Ignored;
import io.muster.lifecycle.Transition.Moved;
import io.muster.lifecycle.Transition.Refused;
import io.muster.model.JobState;
import java.util.Objects;

/** The one function that changes a job's state. */
public final class Lifecycle {
    private Lifecycle() {}

    /**
     * What {@code event} does to a job at {@code life}. Pure and total: every pair has an answer, terminal states never
     * move.
     */
    public static Transition next(Life life, LifecycleEvent event) {
        return switch (life.state()) {
            case QUEUED -> queued(life, event);
            case HELD -> held(life, event);
            case STARTING -> starting(life, event);
            case RUNNING -> running(life, event);
            case CHECKPOINTING -> checkpointing(life, event, Objects.requireNonNull(life.after()));
            case STOPPING -> stopping(life, event, Objects.requireNonNull(life.after()));
            case SUCCEEDED, FAILED, CANCELLED -> terminal(life, event);
        };
    }

    private static Transition queued(Life life, LifecycleEvent event) {
        return switch (event) {
            case Start e -> to(JobState.STARTING);
            case Hold e -> to(JobState.HELD);
            case Cancel e -> to(JobState.CANCELLED);
            case Release e -> new Ignored();
            case RequestCheckpoint e -> refused(life, event);
            case Stop e -> refused(life, event);
            case GangRunning e -> new Ignored();
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case GangBroken e -> new Ignored();
            case GangSucceeded e -> new Ignored();
            case ProgramFinished e -> new Ignored();
            case PodsGone e -> new Ignored();
        };
    }

    private static Transition held(Life life, LifecycleEvent event) {
        return switch (event) {
            case Release e -> to(JobState.QUEUED);
            case Cancel e -> to(JobState.CANCELLED);
            case Hold e -> new Ignored();
            case Start e -> refused(life, event);
            case RequestCheckpoint e -> refused(life, event);
            case Stop e -> refused(life, event);
            case GangRunning e -> new Ignored();
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case GangBroken e -> new Ignored();
            case GangSucceeded e -> new Ignored();
            case ProgramFinished e -> new Ignored();
            case PodsGone e -> new Ignored();
        };
    }

    private static Transition starting(Life life, LifecycleEvent event) {
        return switch (event) {
            case GangRunning e -> to(JobState.RUNNING);
            // Nothing trained yet, so there is nothing to save: it stops at once.
            case RequestCheckpoint e -> e.then() == After.RUNNING ? refused(life, event) : stop(e.then());
            case Stop e -> stop(e.then());
            case GangBroken e -> stop(e.then());
            case Cancel e -> stop(After.CANCELLED);
            case GangSucceeded e -> to(JobState.SUCCEEDED);
            case ProgramFinished e -> stop(After.SUCCEEDED);
            // Gone without an end of their own: somebody deleted them; the loop queues it again.
            case PodsGone e -> to(JobState.QUEUED);
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case Start e -> refused(life, event);
            case Hold e -> refused(life, event);
            case Release e -> new Ignored();
        };
    }

    private static Transition running(Life life, LifecycleEvent event) {
        return switch (event) {
            case RequestCheckpoint e -> new Moved(Life.checkpointing(e.then()));
            case Stop e -> stop(e.then());
            case GangBroken e -> stop(e.then());
            case Cancel e -> stop(After.CANCELLED);
            case GangSucceeded e -> to(JobState.SUCCEEDED);
            case ProgramFinished e -> stop(After.SUCCEEDED);
            case PodsGone e -> to(JobState.QUEUED);
            case GangRunning e -> new Ignored();
            // A periodic checkpoint: recorded, but no change of state.
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case Start e -> refused(life, event);
            case Hold e -> refused(life, event);
            case Release e -> new Ignored();
        };
    }

    private static Transition checkpointing(Life life, LifecycleEvent event, After after) {
        return switch (event) {
            case CheckpointSaved e -> afterSave(after);
            case CheckpointDeadlinePassed e -> afterSave(after);
            case RequestCheckpoint e ->
                firmer(e.then(), after) ? new Moved(Life.checkpointing(e.then())) : new Ignored();
            case Stop e -> stop(firmer(e.then(), after) ? e.then() : after);
            case Cancel e -> stop(After.CANCELLED);
            // Any end after the signal is the stop that was asked for, not a failure and not a success.
            case GangBroken e -> stop(after == After.RUNNING ? e.then() : after);
            case GangSucceeded e -> after == After.RUNNING ? to(JobState.SUCCEEDED) : stop(after);
            case ProgramFinished e -> stop(After.SUCCEEDED);
            case PodsGone e -> to(after == After.RUNNING ? JobState.QUEUED : after.state());
            case Release e -> after == After.HELD ? new Moved(Life.checkpointing(After.QUEUED)) : new Ignored();
            case GangRunning e -> new Ignored();
            case Start e -> refused(life, event);
            case Hold e -> refused(life, event);
        };
    }

    private static Transition stopping(Life life, LifecycleEvent event, After after) {
        return switch (event) {
            case PodsGone e -> to(after.state());
            case Cancel e -> after == After.CANCELLED ? new Ignored() : stop(After.CANCELLED);
            case Stop e -> firmer(e.then(), after) ? stop(e.then()) : new Ignored();
            case ProgramFinished e -> after == After.QUEUED ? stop(After.SUCCEEDED) : new Ignored();
            case Hold e -> after == After.QUEUED ? stop(After.HELD) : refused(life, event);
            case Release e -> after == After.HELD ? stop(After.QUEUED) : new Ignored();
            case RequestCheckpoint e -> firmer(e.then(), after) ? stop(e.then()) : new Ignored();
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case GangBroken e -> new Ignored();
            case GangSucceeded e -> new Ignored();
            case GangRunning e -> new Ignored();
            case Start e -> refused(life, event);
        };
    }

    private static Transition terminal(Life life, LifecycleEvent event) {
        return switch (event) {
            case Start e -> refused(life, event);
            case RequestCheckpoint e -> refused(life, event);
            case Stop e -> refused(life, event);
            case Hold e -> refused(life, event);
            case Release e -> refused(life, event);
            case Cancel e -> life.state() == JobState.CANCELLED ? new Ignored() : refused(life, event);
            case GangRunning e -> new Ignored();
            case CheckpointSaved e -> new Ignored();
            case CheckpointDeadlinePassed e -> new Ignored();
            case GangBroken e -> new Ignored();
            case GangSucceeded e -> new Ignored();
            case ProgramFinished e -> new Ignored();
            case PodsGone e -> new Ignored();
        };
    }

    private static Transition afterSave(After after) {
        return after == After.RUNNING ? to(JobState.RUNNING) : stop(after);
    }

    /** A later wish replaces an earlier one only when it is firmer: go on, queue, end, hold, cancel. */
    private static boolean firmer(After wish, After present) {
        return wish.compareTo(present) > 0;
    }

    private static Transition to(JobState state) {
        return new Moved(Life.of(state));
    }

    private static Transition stop(After after) {
        return new Moved(Life.stopping(after));
    }

    private static Transition refused(Life life, LifecycleEvent event) {
        return new Refused(life, event);
    }
}
