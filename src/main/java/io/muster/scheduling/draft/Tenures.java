package io.muster.scheduling.draft;

import io.muster.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who stays, by job and by node. */
public final class Tenures {
    private final Map<JobId, Tenure> byJob = new LinkedHashMap<>();
    private final @Nullable List<Tenure>[] onNode;

    @SuppressWarnings("unchecked")
    Tenures(int nodes) {
        onNode = new List[nodes];
    }

    void add(Tenure tenure) {
        byJob.put(tenure.job(), tenure);
        for (var spot : tenure.spots()) {
            var here = onNode[spot.node()];
            if (here == null) {
                here = new ArrayList<>();
                onNode[spot.node()] = here;
            }
            here.add(tenure);
        }
    }

    void remove(JobId job) {
        var tenure = byJob.remove(job);
        if (tenure != null) {
            for (var spot : tenure.spots()) {
                on(spot.node()).remove(tenure);
            }
        }
    }

    /** In order of their coming. */
    public Collection<Tenure> all() {
        return byJob.values();
    }

    List<Tenure> on(int node) {
        var here = onNode[node];
        return here == null ? List.of() : here;
    }
}
