package io.muster.dispatch;

import io.muster.job.AttemptFailures;
import io.muster.job.Cause;
import io.muster.job.JobLedger;
import io.muster.job.JobLedger.Change;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Moves jobs on by what their pods have become. */
@Component
class GangSettlement {
    private final JobLedger ledger;
    private final AttemptFailures failures;

    GangSettlement(JobLedger ledger, AttemptFailures failures) {
        this.ledger = ledger;
        this.failures = failures;
    }

    /** Settles one, as {@link #settle(Map)}. */
    void settle(AttemptId attempt, Collection<LedgerReplica> replicas) {
        settle(Map.of(attempt, replicas));
    }

    /**
     * Settles the newest attempts of jobs, in the caller's transaction, which has locked the jobs. Saying the same twice
     * does nothing the second time.
     *
     * @param attempts of each all its replicas, as the ledger has them now; of one job one attempt
     */
    void settle(Map<AttemptId, ? extends Collection<LedgerReplica>> attempts) {
        List<Change> moved = new ArrayList<>();
        List<Change> gone = new ArrayList<>();
        attempts.forEach((attempt, replicas) -> {
            switch (GangJudge.judge(replicas)) {
                case GangJudge.Verdict.Underway v -> {}
                case GangJudge.Verdict.Running v ->
                    moved.add(change(attempt, new LifecycleEvent.GangRunning(), "all-replicas-run"));
                case GangJudge.Verdict.Succeeded v ->
                    moved.add(change(attempt, new LifecycleEvent.GangSucceeded(), "all-replicas-succeeded"));
                case GangJudge.Verdict.Broken v -> failures.broke(attempt, v.how());
            }
            if (replicas.stream().allMatch(LedgerReplica::isReleased)) {
                gone.add(change(attempt, new LifecycleEvent.PodsGone(), "pods-gone"));
            }
        });
        apply(moved);
        apply(gone);
    }

    private void apply(List<Change> changes) {
        if (!changes.isEmpty()) {
            ledger.applyAll(changes);
        }
    }

    private static Change change(AttemptId attempt, LifecycleEvent event, String why) {
        return new Change(attempt.job(), null, event, Cause.system(why), null);
    }
}
