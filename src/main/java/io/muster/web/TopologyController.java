package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.Pool;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.tenancy.Reader;
import io.muster.web.jobs.PlacementViews;
import io.muster.web.view.NodeView;
import io.muster.web.view.TopologyView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** How a pool's nodes lie in their domains, and what is free in each. */
@RestController
class TopologyController {
    private final Fleet fleet;
    private final PlacementViews placements;

    TopologyController(Fleet fleet, PlacementViews placements) {
        this.fleet = fleet;
        this.placements = placements;
    }

    @GetMapping("/api/v1/topology")
    TopologyView of(@RequestParam String pool, Reader reader) {
        Pool found = fleet.pool(new PoolId(pool))
                .orElseThrow(() -> Refusal.invalid("pool", "There is no pool " + pool + "."));
        List<NodeView> nodes = placements.all(reader).stream()
                .filter(n -> n.pool().equals(pool))
                .toList();
        List<String> levels = found.levels().stream().map(Pool.Level::name).toList();
        var domains = new ArrayList<TopologyView.Domain>();
        for (int i = 0; i < levels.size() - 1; i++) {
            domains.addAll(domains(levels.get(i), i + 1, nodes));
        }
        return new TopologyView(pool, levels, domains);
    }

    private static List<TopologyView.Domain> domains(String level, int depth, List<NodeView> nodes) {
        Map<String, List<NodeView>> byPath = nodes.stream()
                .filter(n -> n.domain().size() >= depth)
                .collect(Collectors.groupingBy(
                        n -> String.join("/", n.domain().subList(0, depth)), TreeMap::new, Collectors.toList()));
        return byPath.values().stream()
                .map(inside -> new TopologyView.Domain(
                        level,
                        inside.getFirst().domain().subList(0, depth),
                        inside.size(),
                        inside.stream().mapToInt(NodeView::total).sum(),
                        inside.stream().mapToInt(NodeView::free).sum()))
                .toList();
    }
}
