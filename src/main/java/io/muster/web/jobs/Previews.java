package io.muster.web.jobs;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.job.DocumentText;
import io.muster.job.Feasibility;
import io.muster.job.JobCatalogue;
import io.muster.job.JobDocument;
import io.muster.job.JobSubmission;
import io.muster.job.NodeHoldings;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import io.muster.web.reason.ReasonViews;
import io.muster.web.view.PreviewView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Says what would happen if a document were submitted now, and what it would cost. */
@Component
class Previews {
    private final JobSubmission submission;
    private final Feasibility feasibility;
    private final JobCatalogue catalogue;
    private final Fleet fleet;
    private final NodeHoldings inUse;
    private final JobViews views;
    private final ReasonViews reasons;
    private final JobCosts costs;

    Previews(
            JobSubmission submission,
            Feasibility feasibility,
            JobCatalogue catalogue,
            Fleet fleet,
            NodeHoldings inUse,
            JobViews views,
            ReasonViews reasons,
            JobCosts costs) {
        this.submission = submission;
        this.feasibility = feasibility;
        this.catalogue = catalogue;
        this.fleet = fleet;
        this.inUse = inUse;
        this.views = views;
        this.reasons = reasons;
        this.costs = costs;
    }

    PreviewView of(DocumentText text, Reader reader) {
        JobSubmission.Sketch sketch = submission.sketch(reader, text);
        JobDocument document = sketch.document();
        Feasibility.Outlook outlook = feasibility.preview(sketch.team().id(), reader.user(), document);
        PoolId pool = outlook.pool();
        Feasibility.Start start = outlook.start();
        return new PreviewView(
                outcome(outlook),
                document.gpus(),
                outlook.placements().isEmpty() ? null : outlook.placements().size(),
                pool == null ? null : pool.value(),
                outlook.gpuType() == null ? null : outlook.gpuType().value(),
                outlook.domain() == null || outlook.domain().names().isEmpty()
                        ? null
                        : outlook.domain().toString(),
                places(outlook.placements()),
                victims(outlook, reader),
                outlook.victims().isEmpty() ? null : outlook.gpuSecondsLost(),
                reasons.named(outlook.reasons(), reader),
                outlook.place(),
                start == null ? null : start.expected(),
                start == null ? null : start.latest(),
                start == null ? null : start.by().name().toLowerCase(Locale.ROOT),
                costs.ahead(document, pool),
                costs.currency(),
                sketch.yaml());
    }

    private static String outcome(Feasibility.Outlook outlook) {
        if (outlook.startsNow()) {
            return "starts-now";
        }
        return outlook.victims().isEmpty() ? "waits" : "starts-after-victims";
    }

    private List<PreviewView.PlaceView> places(List<ReplicaPlacement> placements) {
        Map<NodeId, Integer> gpus = new LinkedHashMap<>();
        placements.forEach(p -> gpus.merge(p.node(), p.amount().gpus(), Integer::sum));
        Map<NodeId, Integer> busy = inUse.gpus(gpus.keySet());
        return gpus.entrySet().stream()
                .map(e -> new PreviewView.PlaceView(
                        e.getKey().value(),
                        fleet.node(e.getKey()).map(Node::capacity).orElse(e.getValue()),
                        e.getValue(),
                        busy.getOrDefault(e.getKey(), 0)))
                .toList();
    }

    private List<PreviewView.Victim> victims(Feasibility.Outlook outlook, Reader reader) {
        return catalogue.rows(outlook.victims()).stream()
                .map(row -> new PreviewView.Victim(
                        row.id().value(),
                        reader.may(row.team(), Role.VIEWER) ? row.name() : null,
                        views.path(row.team()),
                        row.gpus()))
                .toList();
    }
}
