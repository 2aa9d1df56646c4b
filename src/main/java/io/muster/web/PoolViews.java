package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.FleetBook;
import io.muster.inventory.Pool;
import io.muster.job.JobCatalogue;
import io.muster.tenancy.Reader;
import io.muster.web.jobs.PlacementViews;
import io.muster.web.view.NodeView;
import io.muster.web.view.PoolView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Shows pools with their numbers of now, counted from the cells of their nodes so that map and sums agree. */
@Component
public class PoolViews {
    private final JsonMapper json = JsonMapper.builder().build();
    private final Fleet fleet;
    private final FleetBook book;
    private final PlacementViews placements;
    private final JobCatalogue jobs;
    private final String currency;

    PoolViews(
            Fleet fleet,
            FleetBook book,
            PlacementViews placements,
            JobCatalogue jobs,
            @Value("${muster.currency:USD}") String currency) {
        this.fleet = fleet;
        this.book = book;
        this.placements = placements;
        this.jobs = jobs;
        this.currency = currency;
    }

    public List<PoolView> all(Reader reader) {
        Map<String, List<NodeView>> nodes =
                placements.all(reader).stream().collect(Collectors.groupingBy(NodeView::pool));
        var depths = jobs.depths();
        return fleet.pools().stream()
                .map(p -> view(
                        p,
                        nodes.getOrDefault(p.id().value(), List.of()),
                        depths.getOrDefault(p.id().value(), new JobCatalogue.Depth(0, 0))))
                .toList();
    }

    PoolView of(Pool pool, Reader reader) {
        return all(reader).stream()
                .filter(p -> p.id().equals(pool.id().value()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no pool " + pool.id()));
    }

    private PoolView view(Pool pool, List<NodeView> nodes, JobCatalogue.Depth depth) {
        return new PoolView(
                pool.id().value(),
                pool.displayName(),
                pool.levels().stream()
                        .map(l -> new PoolView.Level(l.name(), l.label()))
                        .toList(),
                new TreeMap<>(pool.selector()),
                nodes.stream().map(NodeView::gpuType).distinct().sorted().toList(),
                pool.microsPerGpuHour(),
                currency,
                nodes.size(),
                nodes.stream().mapToInt(NodeView::total).sum(),
                cells(nodes, "busy"),
                cells(nodes, "reserved"),
                cells(nodes, "free"),
                cells(nodes, "foreign"),
                cells(nodes, "unavailable"),
                cells(nodes, "broken"),
                depth.jobs(),
                Math.toIntExact(depth.gpus()),
                largest(pool, nodes),
                json.convertValue(pool.profile(), new TypeReference<Map<String, Object>>() {}),
                book.version(pool.id()));
    }

    private static int cells(List<NodeView> nodes, String status) {
        return (int) nodes.stream()
                .flatMap(n -> n.gpus().stream())
                .filter(c -> c.status().equals(status))
                .count();
    }

    /** By level, the domain with most free GPUs; of equals the first by name. Levels without free GPUs are left out. */
    private static List<PoolView.Largest> largest(Pool pool, List<NodeView> nodes) {
        var largest = new java.util.ArrayList<PoolView.Largest>();
        for (int i = 0; i < pool.levels().size(); i++) {
            int depth = i + 1;
            String level = pool.levels().get(i).name();
            Map<String, Integer> free = new TreeMap<>();
            nodes.forEach(n -> free.merge(domain(n, depth), n.free(), Integer::sum));
            free.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .filter(e -> e.getValue() > 0)
                    .ifPresent(e -> largest.add(new PoolView.Largest(level, e.getKey(), e.getValue())));
        }
        return largest;
    }

    private static String domain(NodeView node, int depth) {
        return String.join(
                "/", node.domain().subList(0, Math.min(depth, node.domain().size())));
    }
}
