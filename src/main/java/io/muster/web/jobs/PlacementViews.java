package io.muster.web.jobs;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.job.NodeHoldings;
import io.muster.job.NodeHoldings.Holding;
import io.muster.model.NodeId;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import io.muster.web.view.NodeView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Nodes with who holds each of their GPUs; one cell per GPU that the node ever had. */
@Component
public class PlacementViews {
    private final Fleet fleet;
    private final NodeHoldings holdings;
    private final JobViews names;

    PlacementViews(Fleet fleet, NodeHoldings holdings, JobViews names) {
        this.fleet = fleet;
        this.holdings = holdings;
        this.names = names;
    }

    /** In the order given; nodes that are gone are left out. */
    public List<NodeView> of(Collection<NodeId> nodes, Reader reader) {
        Map<NodeId, List<Holding>> held = byNode(holdings.on(nodes));
        return nodes.stream()
                .map(fleet::node)
                .flatMap(Optional::stream)
                .map(node -> view(node, held.getOrDefault(node.id(), List.of()), reader))
                .toList();
    }

    /** Every node of the fleet. */
    public List<NodeView> all(Reader reader) {
        Map<NodeId, List<Holding>> held = byNode(holdings.everywhere());
        return fleet.nodes().stream()
                .map(node -> view(node, held.getOrDefault(node.id(), List.of()), reader))
                .toList();
    }

    private NodeView view(Node node, List<Holding> held, Reader reader) {
        List<NodeView.Cell> cells = cells(node, held, reader);
        int free = (int) cells.stream().filter(c -> c.status().equals("free")).count();
        return new NodeView(
                node.id().value(),
                node.pool().value(),
                node.gpuType().value(),
                node.domain().names(),
                cells.size(),
                free,
                node.ready() && node.reachable(),
                node.takesReplicas(),
                node.unschedulable(),
                cordon(node.cordon()),
                node.problems(),
                node.allocatable().cpuMillis(),
                node.allocatable().memoryBytes(),
                node.seenAt(),
                cells);
    }

    private List<NodeView.Cell> cells(Node node, List<Holding> held, Reader reader) {
        List<NodeView.Cell> cells = new ArrayList<>();
        int allocatable = node.allocatable().gpus();
        int total = Math.max(node.capacity(), allocatable);
        for (Holding holding : held) {
            String name = reader.may(holding.team(), Role.VIEWER) ? holding.name() : null;
            NodeView.Cell cell = new NodeView.Cell(
                    holding.reserved() ? "reserved" : "busy", holding.job().value(), name, names.path(holding.team()));
            add(cells, cell, holding.gpus(), total);
        }
        add(cells, empty("foreign"), node.foreign().gpus(), total);
        int left = Math.max(0, allocatable - cells.size());
        add(cells, empty(node.takesReplicas() ? "free" : "unavailable"), left, total);
        add(cells, empty("broken"), total - cells.size(), total);
        return cells;
    }

    private static void add(List<NodeView.Cell> cells, NodeView.Cell cell, int times, int most) {
        for (int i = 0; i < times && cells.size() < most; i++) {
            cells.add(cell);
        }
    }

    private static NodeView.Cell empty(String status) {
        return new NodeView.Cell(status, null, null, null);
    }

    private static NodeView.@Nullable CordonView cordon(Node.@Nullable Cordon cordon) {
        return cordon == null
                ? null
                : new NodeView.CordonView(
                        cordon.kind().name(), cordon.by(), cordon.since(), cordon.why(), cordon.deadline());
    }

    private static Map<NodeId, List<Holding>> byNode(List<Holding> held) {
        return held.stream().collect(Collectors.groupingBy(Holding::node));
    }
}
