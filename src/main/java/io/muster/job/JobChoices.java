package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.Lifecycle;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.lifecycle.Transition;
import io.muster.model.CheckpointWay;
import io.muster.model.JobState;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.tenancy.Reader;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which actions make sense for a job now, and why the others do not; the states are the lifecycle's to judge. */
public final class JobChoices {
    private JobChoices() {}

    /** What decides: who owns the job, where it stands and what its document asks for; null: that cannot be read. */
    public record Job(
            TeamId team, UserId owner, Life life, @Nullable Asks asks) {}

    /** How it saves, and whether its time is limited. */
    public record Asks(CheckpointWay saves, boolean hasPath, boolean hasWalltime) {}

    /**
     * Why an action is refused.
     *
     * @param code a stable word for it: not-yours, admins-only, ended, not-waiting, no-walltime, saves-at-its-stop,
     *     no-checkpoint-path, not-held, being-cancelled, held-already, saving-already, not-now, unreadable; see also
     *     {@link JobActions}
     * @param sentence the same in English
     */
    public record No(String code, String sentence) {}

    /** Whether the reader may act on the job at all. */
    public static boolean mayAct(Reader reader, TeamId team, UserId owner) {
        return reader.may(team, Role.TEAM_ADMIN) || owner.equals(reader.user()) && reader.may(team, Role.MEMBER);
    }

    /** Why the reader may not take the action now; empty: they may. */
    public static Optional<No> refusal(JobAction action, Job job, Reader reader) {
        if (!mayAct(reader, job.team(), job.owner())) {
            return no("not-yours", "Only who submitted the job, or an admin of its team, may do this.");
        }
        if (action == JobAction.EXTEND && !reader.may(job.team(), Role.TEAM_ADMIN)) {
            return no("admins-only", "Only an admin of the job's team may do this.");
        }
        return impossible(action, job);
    }

    /** Every action that is refused now, with the reason. */
    public static Map<JobAction, No> refusals(Job job, Reader reader) {
        Map<JobAction, No> refusals = new EnumMap<>(JobAction.class);
        for (JobAction action : JobAction.values()) {
            refusal(action, job, reader).ifPresent(why -> refusals.put(action, why));
        }
        return refusals;
    }

    /** The event that an action sends, or null: it changes the document instead. */
    static @Nullable LifecycleEvent event(JobAction action, JobState state) {
        return switch (action) {
            case CANCEL -> new LifecycleEvent.Cancel();
            case HOLD ->
                state == JobState.STARTING || state == JobState.RUNNING || state == JobState.CHECKPOINTING
                        ? new LifecycleEvent.RequestCheckpoint(Life.After.HELD)
                        : new LifecycleEvent.Hold();
            case RELEASE -> new LifecycleEvent.Release();
            case CHECKPOINT -> new LifecycleEvent.RequestCheckpoint(Life.After.RUNNING);
            case PRIORITY, EXTEND, PATCH -> null;
        };
    }

    private static Optional<No> impossible(JobAction action, Job job) {
        JobState state = job.life().state();
        if (state.isTerminal()) {
            return no("ended", "The job has ended: it is " + state + ".");
        }
        return switch (action) {
            case CANCEL, HOLD, RELEASE -> byLife(action, job.life());
            case PATCH, PRIORITY, EXTEND, CHECKPOINT ->
                job.asks() == null
                        ? no("unreadable", JobRowMapper.DAMAGED)
                        : impossible(action, job.life(), job.asks());
        };
    }

    private static Optional<No> impossible(JobAction action, Life life, Asks asks) {
        JobState state = life.state();
        return switch (action) {
            case PATCH ->
                state == JobState.QUEUED || state == JobState.HELD
                        ? Optional.empty()
                        : no("not-waiting", "Its document can be changed while it waits; it is " + state + ".");
            case PRIORITY -> Optional.empty();
            case EXTEND ->
                asks.hasWalltime() ? Optional.empty() : no("no-walltime", "It has no walltime that could be extended.");
            case CHECKPOINT -> unsaved(asks).or(() -> byLife(action, life));
            case CANCEL, HOLD, RELEASE -> byLife(action, life);
        };
    }

    private static Optional<No> unsaved(Asks asks) {
        if (asks.saves() == CheckpointWay.SIGTERM) {
            return no(
                    "saves-at-its-stop",
                    "It saves when it is told to stop (checkpoint.by: sigterm), so it cannot save and go on running.");
        }
        return asks.hasPath()
                ? Optional.empty()
                : no("no-checkpoint-path", "It has no checkpoint.path: it does not save.");
    }

    private static Optional<No> byLife(JobAction action, Life life) {
        LifecycleEvent event = event(action, life.state());
        if (event == null) {
            return Optional.empty();
        }
        return switch (Lifecycle.next(life, event)) {
            case Transition.Moved m -> Optional.empty();
            case Transition.Ignored i ->
                switch (action) {
                    case RELEASE -> no("not-held", "It is not held.");
                    case CANCEL -> no("being-cancelled", "It is being cancelled already.");
                    case HOLD -> no("held-already", "It is held already, or about to be.");
                    case CHECKPOINT -> no("saving-already", "It is saving already.");
                    case PRIORITY, EXTEND, PATCH -> throw new IllegalStateException(action.word());
                };
            case Transition.Refused r -> no("not-now", "It is " + life.state() + ".");
        };
    }

    private static Optional<No> no(String code, String sentence) {
        return Optional.of(new No(code, sentence));
    }
}
