package io.muster.scheduling.draft;

import io.muster.model.JobId;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who stays, in the order of their coming, and by node. */
public final class Tenures {
    private static final int NONE = -1;

    /** Those of occupants stand at their numbers; null: it leaves, or left. */
    private final List<@Nullable Tenure> all;

    private final Map<JobId, Integer> started = new HashMap<>();
    private final int nodes;
    /** By node, the last link of its chain; made when it is first asked for. */
    private int @Nullable [] lastOn;

    private int[] before = {};
    private int[] entry = {};
    private int links;

    Tenures(int nodes, int occupants) {
        this.nodes = nodes;
        all = new ArrayList<>(occupants + occupants / 8);
    }

    /** {@code tenure}: the next occupant's; null when it leaves. */
    void seat(@Nullable Tenure tenure) {
        all.add(tenure);
    }

    /** A job that starts. */
    void add(Tenure tenure) {
        started.put(tenure.job(), all.size());
        all.add(tenure);
        if (lastOn != null) {
            link(lastOn, all.size() - 1, tenure);
        }
    }

    void remove(Occupant occupant) {
        all.set(occupant.number(), null);
    }

    /** A job that was to start stays no longer where it was. */
    void removeStarted(JobId job) {
        var at = started.remove(job);
        if (at != null) {
            all.set(at, null);
        }
    }

    public void each(Consumer<Tenure> take) {
        for (var tenure : all) {
            if (tenure != null) {
                take.accept(tenure);
            }
        }
    }

    /** Those that have something of {@code node}. */
    List<Tenure> on(int node) {
        var here = new ArrayList<Tenure>();
        for (int link = chains()[node]; link != NONE; link = before[link]) {
            var tenure = all.get(entry[link]);
            if (tenure != null) {
                here.add(tenure);
            }
        }
        return here;
    }

    private int[] chains() {
        if (lastOn == null) {
            int[] chains = new int[nodes];
            Arrays.fill(chains, NONE);
            for (int i = 0; i < all.size(); i++) {
                var tenure = all.get(i);
                if (tenure != null) {
                    link(chains, i, tenure);
                }
            }
            lastOn = chains;
        }
        return lastOn;
    }

    private void link(int[] chains, int number, Tenure tenure) {
        for (var spot : tenure.spots()) {
            if (links == before.length) {
                before = Arrays.copyOf(before, 2 * links + all.size());
                entry = Arrays.copyOf(entry, before.length);
            }
            before[links] = chains[spot.node()];
            entry[links] = number;
            chains[spot.node()] = links++;
        }
    }
}
