package io.muster.cycle;

import io.muster.job.Cause;
import io.muster.job.JobLedger.Change;
import io.muster.job.LedgerJob;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Says a plan's decisions as changes of jobs: with the version that the plan saw, and why. */
final class PlannedChanges {
    private PlannedChanges() {}

    /** What the plan asks of jobs that are not over by now, in its order. */
    static List<Change> of(SchedulingPlan plan, World world) {
        var newPlaces = new HashMap<JobId, List<String>>();
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Reserve d && d.kind() == Decision.Reserve.Kind.MOVE) {
                newPlaces.put(d.job(), nodes(d.placements()));
            }
        }
        var changes = new ArrayList<Change>();
        for (Decision decision : plan.decisions()) {
            add(decision, world, newPlaces, changes);
        }
        return changes;
    }

    private static void add(Decision decision, World world, Map<JobId, List<String>> newPlaces, List<Change> changes) {
        LedgerJob job = world.job(decision.job());
        if (job == null) {
            return;
        }
        switch (decision) {
            case Decision.Start d ->
                changes.add(new Change(
                        job.id(), job.version(), new LifecycleEvent.Start(), Cause.system("planned", place(d)), null));
            case Decision.RequestCheckpoint d ->
                changes.add(new Change(
                        job.id(),
                        job.version(),
                        new LifecycleEvent.RequestCheckpoint(Life.After.QUEUED),
                        Cause.system(word(d.cause()), yielding(d, newPlaces.get(d.job()))),
                        d.beneficiary()));
            case Decision.Stop d ->
                changes.add(new Change(
                        job.id(),
                        job.version(),
                        new LifecycleEvent.RequestCheckpoint(Life.After.FAILED),
                        Cause.system("walltime"),
                        null));
            case Decision.Reserve d -> {}
            case Decision.Unreserve d -> {}
        }
    }

    /** Each node once, by name. */
    static List<String> nodes(List<ReplicaPlacement> placements) {
        return placements.stream()
                .map(p -> p.node().value())
                .distinct()
                .sorted()
                .toList();
    }

    private static Map<String, Object> place(Decision.Start d) {
        var data = new TreeMap<String, Object>();
        data.put("pool", d.pool().value());
        data.put("gpuType", d.gpuType().value());
        data.put("domain", d.domain().names());
        data.put("nodes", nodes(d.placements()));
        if (d.level() != null) {
            data.put("level", d.level());
        }
        if (d.backfilled()) {
            data.put("backfilled", true);
        }
        return data;
    }

    private static Map<String, Object> yielding(Decision.RequestCheckpoint d, @Nullable List<String> newPlace) {
        var data = new TreeMap<String, Object>();
        data.put("gpusFreed", d.gpusFreed());
        data.put("gpuSecondsLost", d.gpuSecondsLost());
        data.put("guaranteed", d.guaranteed());
        if (newPlace != null) {
            data.put("nodes", newPlace);
        }
        return data;
    }

    static String word(Decision.Cause cause) {
        return cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
