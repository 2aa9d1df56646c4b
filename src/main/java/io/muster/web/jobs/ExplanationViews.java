package io.muster.web.jobs;

import io.muster.job.JobChoices;
import io.muster.job.JobRow;
import io.muster.job.PriorityRule;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Remedy;
import io.muster.tenancy.Reader;
import io.muster.web.reason.ReasonViews;
import io.muster.web.view.ExplanationView;
import io.muster.web.view.ExplanationView.RemedyView;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** An explanation with, for each remedy, the PATCH that makes the change and whether the reader may. */
@Component
class ExplanationViews {
    private final ReasonViews reasons;
    private final PriorityRule priorities;

    ExplanationViews(ReasonViews reasons, PriorityRule priorities) {
        this.reasons = reasons;
        this.priorities = priorities;
    }

    ExplanationView of(Explanation e, JobRow job, Reader reader) {
        return new ExplanationView(
                e.job().value(),
                e.asOf(),
                e.place(),
                e.before().stream().map(JobId::value).toList(),
                e.expectedStart(),
                e.latestStart(),
                e.startBy() == null ? null : e.startBy().name().toLowerCase(Locale.ROOT),
                e.laterThan(),
                reasons.named(e.reasons(), reader),
                e.remedies().stream().map(r -> remedy(r, job, reader)).toList());
    }

    private RemedyView remedy(Remedy remedy, JobRow job, Reader reader) {
        String needs = needs(remedy, job, reader);
        String sentence = reasons.sentence(remedy);
        return switch (remedy) {
            case Remedy.RelaxTopology r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        patch(r),
                        needs == null,
                        needs,
                        r.require() == null ? r.prefer() : r.require(),
                        r.domainsUsed(),
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        null);
            case Remedy.WithoutSlices r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        withoutSlices(),
                        needs == null,
                        needs,
                        null,
                        r.domainsUsed(),
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        null);
            case Remedy.FewerReplicas r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        Map.of("replicas", r.replicas()),
                        needs == null,
                        needs,
                        null,
                        null,
                        r.replicas(),
                        null,
                        null,
                        null,
                        List.of(),
                        null);
            case Remedy.BeElastic r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        Map.of("elastic", Map.of("min", r.min())),
                        needs == null,
                        needs,
                        null,
                        null,
                        r.min(),
                        null,
                        null,
                        null,
                        List.of(),
                        null);
            case Remedy.OtherPool r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        patch(r),
                        needs == null,
                        needs,
                        null,
                        null,
                        null,
                        r.pool().value(),
                        r.type().value(),
                        null,
                        List.of(),
                        null);
            case Remedy.RaisePriority r ->
                new RemedyView(
                        r.kind(),
                        sentence,
                        Map.of("priority", r.priorityClass()),
                        needs == null,
                        needs,
                        null,
                        null,
                        null,
                        null,
                        null,
                        r.priorityClass(),
                        r.victims().stream().map(JobId::value).toList(),
                        r.gpuSecondsLost());
        };
    }

    /** What the reader lacks to make the change, or null. */
    private @Nullable String needs(Remedy remedy, JobRow job, Reader reader) {
        if (!JobChoices.mayAct(reader, job.team(), job.owner())) {
            return "Only who submitted the job, or an admin of its team, may change it.";
        }
        Optional<String> refused = remedy instanceof Remedy.RaisePriority r
                ? priorities.refusal(reader, r.priorityClass(), job.team())
                : Optional.empty();
        return refused.orElse(null);
    }

    /** Null removes a field, as merge patches say it. */
    @SuppressWarnings("NullAway") // A map with null values is what a merge patch is.
    private static Map<String, Object> patch(Remedy.RelaxTopology r) {
        Map<String, Object> topology = new LinkedHashMap<>();
        topology.put("require", r.require());
        topology.put("prefer", r.prefer());
        if (r.prefer() == null) {
            topology.put("patience", null);
        }
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("topology", topology);
        return patch;
    }

    @SuppressWarnings("NullAway") // A map with null values is what a merge patch is.
    private static Map<String, Object> withoutSlices() {
        Map<String, Object> topology = new LinkedHashMap<>();
        topology.put("slices", null);
        return Map.of("topology", topology);
    }

    @SuppressWarnings("NullAway") // A map with null values is what a merge patch is.
    private static Map<String, Object> patch(Remedy.OtherPool r) {
        Map<String, Object> gpu = new LinkedHashMap<>();
        gpu.put("types", Arrays.asList(r.type().value()));
        gpu.put("memory", null);
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("pool", r.pool().value());
        patch.put("gpu", gpu);
        return patch;
    }
}
