package io.muster.dispatch;

import io.muster.job.AttemptFailures;
import io.muster.job.Cause;
import io.muster.job.JobLedger;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import java.util.Collection;
import org.springframework.stereotype.Component;

/** Moves a job on by what its pods have become. */
@Component
class GangSettlement {
    private final JobLedger ledger;
    private final AttemptFailures failures;

    GangSettlement(JobLedger ledger, AttemptFailures failures) {
        this.ledger = ledger;
        this.failures = failures;
    }

    /**
     * Settles the job's newest attempt, in the caller's transaction. Saying the same twice does nothing the second time.
     *
     * @param replicas all replicas of the attempt as the ledger has them now
     */
    void settle(AttemptId attempt, Collection<LedgerReplica> replicas) {
        switch (GangJudge.judge(replicas)) {
            case GangJudge.Verdict.Underway v -> {}
            case GangJudge.Verdict.Running v ->
                ledger.apply(attempt.job(), new LifecycleEvent.GangRunning(), Cause.system("all-replicas-run"));
            case GangJudge.Verdict.Succeeded v ->
                ledger.apply(attempt.job(), new LifecycleEvent.GangSucceeded(), Cause.system("all-replicas-succeeded"));
            case GangJudge.Verdict.Broken v -> failures.broke(attempt, v.how());
        }
        if (replicas.stream().allMatch(LedgerReplica::isReleased)) {
            ledger.apply(attempt.job(), new LifecycleEvent.PodsGone(), Cause.system("pods-gone"));
        }
    }
}
