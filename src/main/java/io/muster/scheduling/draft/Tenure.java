package io.muster.scheduling.draft;

import io.muster.model.JobId;
import io.muster.scheduling.problem.Occupant.Spot;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A job that stays on its nodes until it ends.
 *
 * @param leaf its team's entry in the tree, or -1
 * @param user its user in its team, or -1
 * @param gpus what it counts in its team's share
 * @param firm it cannot be preempted
 * @param end when it must have ended, by walltime or by what policy assumes
 * @param yields it was backfilled and goes when the head needs its room
 */
public record Tenure(
        JobId job,
        int pool,
        int leaf,
        int user,
        int gpus,
        boolean firm,
        Instant end,
        boolean yields,
        List<Spot> spots) {
    /** Whoever ends first, first. */
    public static final Comparator<Tenure> FIRST = (a, b) -> {
        int order = a.end.compareTo(b.end);
        return order != 0 ? order : a.job.compareTo(b.job);
    };
}
