package io.muster.scheduling.explain;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Options;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What keeps a job from being tried at all: people's modes, its backoff, its own impossibility. */
public final class Gates {
    private final Problem problem;
    private final ModeView mode;
    private final @Nullable Reason[] byEntry;

    public Gates(Problem problem) {
        this.problem = problem;
        mode = problem.snapshot().mode();
        byEntry = new Reason[problem.tree().size()];
        for (int entry = 0; entry < byEntry.length; entry++) {
            byEntry[entry] = pausedAt(entry);
        }
    }

    private @Nullable Reason pausedAt(int entry) {
        for (int i = entry; i != TeamTree.NO_PARENT; i = problem.tree().parent(i)) {
            var why = mode.pausedTeams().get(problem.tree().team(i).id());
            if (why != null) {
                return new Reason.Paused(null, problem.tree().team(i).id(), "paused", why);
            }
        }
        return null;
    }

    /** True when nothing starts anywhere. */
    public boolean allClosed() {
        return mode.paused() != null || mode.safe() != null;
    }

    /** True when what runs is to go on running, whatever its walltime. */
    public boolean isSafe() {
        return mode.safe() != null;
    }

    /** True when nobody may be asked to yield. */
    public boolean preemptionFrozen() {
        return allClosed() || mode.frozen() != null;
    }

    /** Why the job is not tried, or null when it is. */
    public @Nullable Reason closed(Claimant claimant) {
        if (mode.paused() != null) {
            return new Reason.Paused(null, null, "paused", mode.paused());
        }
        if (mode.safe() != null) {
            return new Reason.Paused(null, null, "safe", mode.safe());
        }
        return byEntry[claimant.leaf()];
    }

    public @Nullable Reason backoff(Claimant claimant) {
        var backoff = claimant.job().backoff();
        return backoff == null || !claimant.job().isResting(problem.asOf())
                ? null
                : new Reason.Backoff(backoff.until(), backoff.after(), backoff.attempt());
    }

    /** True when people paused the team of this entry of the tree, or one above it. */
    public boolean isPaused(int leaf) {
        return byEntry[leaf] != null;
    }

    public boolean isPaused(PoolId pool) {
        return mode.pausedPools().containsKey(pool);
    }

    public Reason pausedPool(PoolId pool) {
        return new Reason.Paused(
                pool, null, "paused", Objects.requireNonNull(mode.pausedPools().get(pool)));
    }

    /** Why nobody may be asked to yield for the job, or null when somebody may. */
    public @Nullable Reason frozen(Claimant claimant) {
        if (mode.frozen() != null) {
            return new Reason.PreemptionFrozen(mode.frozen());
        }
        var backoff = claimant.job().backoff();
        return backoff != null && claimant.job().imageUnseen() ? new Reason.ImageUnseen(backoff.attempt()) : null;
    }

    public Reason neverFits(WaitingJob job) {
        var reason = Options.never(problem.fleet(), job.facts());
        return reason == null ? new Reason.NotYetPlanned() : reason;
    }

    public Reason quotaInUse(Claimant claimant, PoolShares shares) {
        int worst = claimant.leaf();
        for (int i = claimant.leaf();
                i != TeamTree.NO_PARENT;
                i = problem.tree().parent(i)) {
            if (shares.allocated(i) + claimant.gpus() > Math.max(shares.deserved(i), shares.guaranteed(i))) {
                worst = i;
                break;
            }
        }
        return new Reason.QuotaInUse(
                problem.tree().team(worst).id(),
                shares.pool(),
                claimant.gpus(),
                shares.allocated(worst),
                shares.deserved(worst),
                shares.entitlement(worst));
    }

    public boolean isSetAside(JobId job) {
        return !problem.setAside().isEmpty()
                && problem.setAside().stream().anyMatch(s -> s.job().equals(job));
    }
}
