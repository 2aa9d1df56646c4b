package io.muster.cycle;

import io.muster.model.JobId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.List;
import java.util.Optional;

/** Finds the waiting job that makes a planner throw, by halves: some thirty plans for a hundred thousand jobs. */
final class Culprit {
    private Culprit() {}

    /** Empty when no single waiting job is at fault. */
    static Optional<JobId> find(Planner planner, ClusterSnapshot snapshot) {
        List<WaitingJob> suspects = snapshot.waiting();
        if (suspects.isEmpty() || fails(planner, snapshot, List.of())) {
            return Optional.empty();
        }
        while (suspects.size() > 1) {
            List<WaitingJob> first = suspects.subList(0, suspects.size() / 2);
            List<WaitingJob> second = suspects.subList(suspects.size() / 2, suspects.size());
            if (fails(planner, snapshot, first)) {
                suspects = first;
            } else if (fails(planner, snapshot, second)) {
                suspects = second;
            } else {
                return Optional.empty();
            }
        }
        // Once more, alone: what failed only once is no reason to hold anybody.
        return fails(planner, snapshot, suspects)
                ? Optional.of(suspects.getFirst().id())
                : Optional.empty();
    }

    private static boolean fails(Planner planner, ClusterSnapshot snapshot, List<WaitingJob> waiting) {
        try {
            planner.plan(snapshot.withWaiting(waiting));
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
