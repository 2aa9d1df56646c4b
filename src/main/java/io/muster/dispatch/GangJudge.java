package io.muster.dispatch;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsLast;

import io.muster.job.AttemptFailures.Breakage;
import io.muster.job.LedgerReplica;
import io.muster.job.LedgerReplica.Stage;
import io.muster.model.FailureClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the states of its pods mean for a gang. Pure. */
final class GangJudge {
    private static final Comparator<LedgerReplica> FIRST_FAILED = comparing(
                    LedgerReplica::seenAt, nullsLast(Comparator.naturalOrder()))
            .thenComparingInt(LedgerReplica::rankOrder);

    private GangJudge() {}

    /** How a gang is as a whole. */
    sealed interface Verdict {
        /** Some are still on their way, or some have succeeded and others run. */
        record Underway() implements Verdict {}

        /** Every replica runs, or has succeeded already. */
        record Running() implements Verdict {}

        record Succeeded() implements Verdict {}

        record Broken(Breakage how) implements Verdict {}
    }

    /** @param replicas all replicas of the attempt */
    static Verdict judge(Collection<LedgerReplica> replicas) {
        Optional<LedgerReplica> failed =
                replicas.stream().filter(GangJudge::hasFailed).min(FIRST_FAILED);
        if (failed.isPresent()) {
            return new Verdict.Broken(breakage(failed.get(), failed.get().failure()));
        }
        Optional<LedgerReplica> vanished =
                replicas.stream().filter(r -> r.stage() == Stage.GONE).min(FIRST_FAILED);
        if (vanished.isPresent()) {
            return new Verdict.Broken(breakage(vanished.get(), vanished.get().failure()));
        }
        if (replicas.stream().allMatch(r -> r.stage() == Stage.SUCCEEDED)) {
            return new Verdict.Succeeded();
        }
        return replicas.stream().allMatch(GangJudge::runsOrHasRun) ? new Verdict.Running() : new Verdict.Underway();
    }

    /** Failed, or waiting for something that will not come, such as an image that does not exist. */
    private static boolean hasFailed(LedgerReplica r) {
        return r.stage() == Stage.FAILED || r.failure() != null && !r.stage().isOver();
    }

    private static boolean runsOrHasRun(LedgerReplica r) {
        return r.stage() == Stage.RUNNING || r.stage() == Stage.SUCCEEDED;
    }

    private static Breakage breakage(LedgerReplica r, @Nullable FailureClass failure) {
        String message = r.message() != null ? r.message() : r.stage() == Stage.GONE ? "its pod is gone" : r.reason();
        return new Breakage(
                failure == null ? FailureClass.UNKNOWN : failure, r.exitCode(), message, r.id(), Set.of(r.node()));
    }
}
