package io.muster.cycle;

import io.muster.model.JobId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the job that makes a planner throw, by halves: some thirty plans for a hundred thousand jobs. */
final class Culprit {
    private Culprit() {}

    /** Empty when no single job is at fault. */
    static Optional<JobId> find(Planner planner, ClusterSnapshot snapshot) {
        ClusterSnapshot noneWaits = snapshot.withWaiting(List.of());
        if (!fails(planner, noneWaits)) {
            return byHalves(snapshot.waiting(), some -> fails(planner, snapshot.withWaiting(some)))
                    .map(WaitingJob::id);
        }
        if (fails(planner, withRunning(noneWaits, List.of()))) {
            return Optional.empty();
        }
        return byHalves(snapshot.running(), some -> fails(planner, withRunning(noneWaits, some)))
                .map(RunningJob::id);
    }

    private static <T> Optional<T> byHalves(List<T> all, Predicate<List<T>> fails) {
        List<T> suspects = all;
        while (suspects.size() > 1) {
            List<T> first = suspects.subList(0, suspects.size() / 2);
            List<T> second = suspects.subList(suspects.size() / 2, suspects.size());
            if (fails.test(first)) {
                suspects = first;
            } else if (fails.test(second)) {
                suspects = second;
            } else {
                return Optional.empty();
            }
        }
        // Once more, alone: what failed only once is no reason to set anybody aside.
        return suspects.isEmpty() || !fails.test(suspects) ? Optional.empty() : Optional.of(suspects.getFirst());
    }

    private static ClusterSnapshot withRunning(ClusterSnapshot s, List<RunningJob> running) {
        return new ClusterSnapshot(
                s.asOf(),
                s.settings(),
                s.mode(),
                s.pools(),
                s.nodes(),
                s.teams(),
                s.waiting(),
                running,
                s.reservations());
    }

    private static boolean fails(Planner planner, ClusterSnapshot snapshot) {
        try {
            planner.verify(snapshot, planner.plan(snapshot));
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
