package io.muster.scheduling.backfill;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Tenure;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When and where a blocked job could start if everybody ended when promised. */
public final class Forecast {
    private final Draft draft;

    public Forecast(Draft draft) {
        this.draft = draft;
    }

    /** A start to come. */
    public record Start(Instant at, Layout layout) {}

    /** The earliest start in {@code partition}, or null when none is in sight. */
    public @Nullable Start earliest(Claimant claimant, Partition partition, LevelWish wish) {
        var ends = ends(partition);
        int low = 0;
        int high = ends.size();
        var last = layout(claimant, partition, wish, ends, high);
        if (last == null) {
            return null;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            var found = layout(claimant, partition, wish, ends, middle);
            if (found == null) {
                low = middle + 1;
            } else {
                high = middle;
                last = found;
            }
        }
        var asOf = draft.problem().asOf();
        return new Start(high == 0 ? asOf : ends.get(high - 1).end(), last);
    }

    /** True when there is a place as soon as those that leave already, and those that yield to a head, are gone. */
    public boolean isAtOnce(Claimant claimant, Partition partition, LevelWish wish) {
        return layout(claimant, partition, wish, List.of(), 0) != null;
    }

    /** Jobs of the partition's pool in the order of their ends; those that yield to a head count as gone. */
    private List<Tenure> ends(Partition partition) {
        var ends = new ArrayList<Tenure>();
        draft.tenures().each(tenure -> {
            if (tenure.pool() == partition.pool() && !tenure.yields()) {
                ends.add(tenure);
            }
        });
        ends.sort(Tenure.FIRST);
        return ends;
    }

    /** A place once the first {@code gone} of {@code ends} have ended. */
    private @Nullable Layout layout(
            Claimant claimant, Partition partition, LevelWish wish, List<Tenure> ends, int gone) {
        if (!sharesLetIn(claimant, partition.pool(), ends, gone)) {
            return null;
        }
        var plane = draft.room().futureStrict().copy();
        draft.tenures().each(tenure -> {
            if (tenure.yields()) {
                free(plane, tenure);
            }
        });
        for (int i = 0; i < gone; i++) {
            free(plane, ends.get(i));
        }
        return draft.placer().place(claimant.gang(), partition, wish, plane, claimant.excluded());
    }

    /** With the same jobs gone, the claim keeps to its share, its limits and its guarantee as they are today. */
    private boolean sharesLetIn(Claimant claimant, int pool, List<Tenure> ends, int gone) {
        var left = new Left(draft, claimant, pool);
        draft.tenures().each(tenure -> {
            if (tenure.yields() && tenure.pool() == pool) {
                left.ends(tenure);
            }
        });
        for (int i = 0; i < gone; i++) {
            left.ends(ends.get(i));
        }
        return left.letsIn();
    }

    private static void free(Plane plane, Tenure tenure) {
        tenure.spots().forEach(s -> plane.add(s.node(), s.amount()));
    }
}
