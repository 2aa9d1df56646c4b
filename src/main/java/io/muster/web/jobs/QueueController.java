package io.muster.web.jobs;

import io.muster.inventory.Fleet;
import io.muster.job.JobCatalogue;
import io.muster.job.JobRow;
import io.muster.tenancy.Reader;
import io.muster.web.view.QueueView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The order of all that wait, by pool: the first of each, and how much waits in all. */
@RestController
class QueueController {
    private static final int MOST_SHOWN = 500;
    private static final String ANY = "any";

    private final JobCatalogue catalogue;
    private final Fleet fleet;
    private final JobViews views;

    QueueController(JobCatalogue catalogue, Fleet fleet, JobViews views) {
        this.catalogue = catalogue;
        this.fleet = fleet;
        this.views = views;
    }

    @GetMapping("/api/v1/queue")
    List<QueueView> queue(@RequestParam(required = false) @Nullable String pool, Reader reader) {
        Map<String, List<JobRow>> byPool = new LinkedHashMap<>();
        fleet.pools().forEach(p -> byPool.put(p.id().value(), new ArrayList<>()));
        Map<String, JobCatalogue.Depth> depths = catalogue.depths();
        for (JobCatalogue.Waiting each : catalogue.waiting(MOST_SHOWN)) {
            byPool.computeIfAbsent(each.pool() == null ? ANY : each.pool(), p -> new ArrayList<>())
                    .add(each.job());
        }
        return byPool.entrySet().stream()
                .filter(e -> pool == null || pool.isEmpty() || e.getKey().equals(pool))
                .map(e -> {
                    var depth = depths.getOrDefault(e.getKey(), new JobCatalogue.Depth(0, 0));
                    return new QueueView(
                            e.getKey(),
                            depth.jobs(),
                            Math.toIntExact(depth.gpus()),
                            views.summaries(e.getValue(), reader));
                })
                .toList();
    }
}
