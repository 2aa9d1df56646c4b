package io.muster.web;

import io.muster.inventory.FleetBook;
import io.muster.inventory.NodeCare;
import io.muster.inventory.UnassignedNode;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.tenancy.Reader;
import io.muster.web.jobs.PlacementViews;
import io.muster.web.view.NodeActions;
import io.muster.web.view.NodeView;
import io.muster.web.view.UnassignedNodeView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Nodes with who holds their GPUs, and what admins do to them. */
@RestController
@RequestMapping("/api/v1")
class NodeController {
    private final PlacementViews placements;
    private final FleetBook book;
    private final NodeCare care;

    NodeController(PlacementViews placements, FleetBook book, NodeCare care) {
        this.placements = placements;
        this.book = book;
        this.care = care;
    }

    @GetMapping("/nodes")
    List<NodeView> list(@RequestParam(required = false) @Nullable String pool, Reader reader) {
        return placements.all(reader).stream()
                .filter(n -> pool == null || pool.isEmpty() || n.pool().equals(pool))
                .toList();
    }

    @GetMapping("/nodes/{id}")
    NodeView get(@PathVariable String id, Reader reader) {
        return view(new NodeId(id), reader);
    }

    @GetMapping("/unassigned-nodes")
    List<UnassignedNodeView> unassigned(Reader reader) {
        TeamGate.platformAdmin(reader);
        return book.unassigned().stream().map(NodeController::view).toList();
    }

    @PostMapping("/nodes/{id}/cordon")
    NodeView cordon(@PathVariable String id, @RequestBody NodeActions.Cordon body, Reader reader) {
        NodeId node = node(id, reader);
        care.cordon(reader.user(), reader.username(), node, body.why());
        return view(node, reader);
    }

    @PostMapping("/nodes/{id}/uncordon")
    NodeView uncordon(@PathVariable String id, Reader reader) {
        NodeId node = node(id, reader);
        care.uncordon(reader.user(), node);
        return view(node, reader);
    }

    @PostMapping("/nodes/{id}/drain")
    NodeView drain(@PathVariable String id, @RequestBody NodeActions.Drain body, Reader reader) {
        NodeId node = node(id, reader);
        Duration within = SettingsController.duration("deadline", body.deadline());
        if (within == null) throw Refusal.invalid("deadline", "is missing");
        care.drain(reader.user(), reader.username(), node, within, body.why());
        return view(node, reader);
    }

    @PostMapping("/nodes/{id}/quarantine")
    NodeView quarantine(@PathVariable String id, @RequestBody NodeActions.Cordon body, Reader reader) {
        NodeId node = node(id, reader);
        care.quarantine(reader.user(), reader.username(), node, body.why());
        return view(node, reader);
    }

    @PostMapping("/nodes/{id}/return")
    NodeView back(@PathVariable String id, Reader reader) {
        NodeId node = node(id, reader);
        care.back(reader.user(), node);
        return view(node, reader);
    }

    /** Answers with the node as it was: it is no longer there. */
    @PostMapping("/nodes/{id}/confirm-gone")
    NodeView confirmGone(@PathVariable String id, @RequestBody NodeActions.ConfirmGone body, Reader reader) {
        NodeId node = node(id, reader);
        NodeView before = view(node, reader);
        String why = body.why();
        care.confirmGone(reader.user(), node, why == null ? "" : why);
        return before;
    }

    private NodeId node(String id, Reader reader) {
        TeamGate.platformAdmin(reader);
        return new NodeId(view(new NodeId(id), reader).id());
    }

    private NodeView view(NodeId node, Reader reader) {
        return placements.of(List.of(node), reader).stream().findFirst().orElseThrow(() -> Refusal.notFound("node"));
    }

    private static UnassignedNodeView view(UnassignedNode n) {
        PoolId pool = n.pool();
        return new UnassignedNodeView(n.id().value(), pool == null ? null : pool.value(), n.problems(), n.seenAt());
    }
}
