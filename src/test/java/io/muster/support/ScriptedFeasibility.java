package io.muster.support;

import io.muster.job.Feasibility;
import io.muster.job.JobDocument;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Answers for the core: everything up to {@link #largest} GPUs fits, explanations are those that the test gives. */
public final class ScriptedFeasibility implements Feasibility {
    public final Map<JobId, Explanation> explanations = new ConcurrentHashMap<>();
    public volatile int largest = 4096;
    public volatile @Nullable Outlook outlook;
    public volatile boolean broken;

    @Override
    public Optional<Reason.NeverFits> neverFits(TeamId team, JobDocument document) {
        return document.gpus() <= largest
                ? Optional.empty()
                : Optional.of(
                        new Reason.NeverFits(null, document.gpus(), null, largest, io.muster.model.DomainPath.POOL));
    }

    @Override
    public Outlook preview(TeamId team, UserId user, JobDocument document) {
        Outlook set = outlook;
        return set != null
                ? set
                : new Outlook(
                        false, null, null, null, List.of(), List.of(), 0, List.of(new Reason.NotYetPlanned()), 1, null);
    }

    @Override
    public Optional<Explanation> explain(JobId job) {
        if (broken) {
            throw new IllegalStateException("the core broke");
        }
        return Optional.ofNullable(explanations.get(job));
    }
}
