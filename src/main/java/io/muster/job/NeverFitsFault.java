package io.muster.job;

import io.muster.model.GpuTypeId;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Names the field because of which the whole fleet could never hold a job: CPU, memory, GPU type or slices, when the job would fit
 * without what it asks for there; else its size, with the largest that could run.
 */
final class NeverFitsFault {
    private static final String CODE = "never-fits";

    private final Feasibility feasibility;
    private final TeamId team;
    private final JobDocument document;

    private NeverFitsFault(Feasibility feasibility, TeamId team, JobDocument document) {
        this.feasibility = feasibility;
        this.team = team;
        this.document = document;
    }

    /** What is wrong with {@code document}, of which the fleet has said {@code why}. */
    static DocumentFault of(Feasibility feasibility, TeamId team, JobDocument document, Reason.NeverFits why) {
        var search = new NeverFitsFault(feasibility, team, document);
        return search.gpuKind()
                .or(search::besideGpus)
                .or(() -> search.slices(why))
                .orElseGet(() -> search.size(why));
    }

    private Optional<DocumentFault> gpuKind() {
        if (document.gpuTypes().isEmpty() && document.minGpuMemoryMib() == 0) {
            return Optional.empty();
        }
        var one = one(document.groups().getFirst());
        boolean exists = fits(document.withGroups(List.of(one)));
        if (exists || !fits(document.withGroups(List.of(one)).withAnyGpu())) {
            return Optional.empty();
        }
        String wanted = document.gpuTypes().isEmpty()
                ? "of this memory"
                : "of type "
                        + document.gpuTypes().stream().map(GpuTypeId::value).collect(Collectors.joining(" or "));
        return Optional.of(fault(
                document.gpuTypes().isEmpty() ? "gpu.memory" : "gpu.types",
                "no node of %s has a GPU %s; the largest job of them that could run has 0 GPUs"
                        .formatted(place(), wanted)));
    }

    /** One replica with a GPU at most and nothing else: there is a node for it if its kind of GPU exists at all. */
    private static JobDocument.Group one(JobDocument.Group group) {
        return group.of(1, 1, new Resources(Math.min(1, group.each().gpus()), 0, 0));
    }

    private Optional<DocumentFault> besideGpus() {
        for (int i = 0; i < document.groups().size(); i++) {
            Resources each = document.groups().get(i).each();
            if (fitsWith(i, new Resources(each.gpus(), 0, each.memoryBytes()))) {
                return beside(i, "resources.cpus", Quantity.cpus(each.cpuMillis()) + " CPUs");
            }
            if (fitsWith(i, new Resources(each.gpus(), each.cpuMillis(), 0))) {
                return beside(i, "resources.memory", Quantity.bytes(each.memoryBytes()) + " of memory");
            }
            if (fitsWith(i, new Resources(each.gpus(), 0, 0))) {
                return beside(
                        i,
                        "resources",
                        "%s CPUs and %s of memory"
                                .formatted(Quantity.cpus(each.cpuMillis()), Quantity.bytes(each.memoryBytes())));
            }
        }
        return Optional.empty();
    }

    private Optional<DocumentFault> beside(int group, String field, String amount) {
        JobDocument.Group asked = document.groups().get(group);
        return Optional.of(fault(
                field(group, field),
                "%s could never hold %d x %s beside %d GPUs each; without that the job would fit"
                        .formatted(place(), asked.min(), amount, asked.each().gpus())));
    }

    private Optional<DocumentFault> slices(Reason.NeverFits why) {
        for (int i = 0; i < document.groups().size(); i++) {
            JobDocument.Group asked = document.groups().get(i);
            List<JobDocument.Group> groups = new ArrayList<>(document.groups());
            groups.set(i, asked.withoutSlices());
            if (asked.slices() != null && fits(document.withGroups(groups))) {
                return Optional.of(fault(
                        plain() ? "topology.slices" : field(i, "slices"),
                        "%s could never hold %d slices of %d x %d GPUs, each in one %s; the largest that it could hold is %d"
                                .formatted(
                                        place(),
                                        asked.replicas() / asked.slices().size(),
                                        asked.slices().size(),
                                        asked.each().gpus(),
                                        asked.slices().level(),
                                        why.largestGpus())));
            }
        }
        return Optional.empty();
    }

    private boolean fitsWith(int group, Resources each) {
        List<JobDocument.Group> groups = new ArrayList<>(document.groups());
        JobDocument.Group asked = groups.get(group);
        groups.set(group, asked.of(asked.replicas(), asked.min(), each));
        return fits(document.withGroups(groups));
    }

    private boolean fits(JobDocument changed) {
        return feasibility.neverFits(team, changed).isEmpty();
    }

    private DocumentFault size(Reason.NeverFits why) {
        String field = !plain() ? "groups" : sizeField();
        return fault(
                field,
                "%s could never hold %d GPUs%s; the largest that it could hold is %d"
                        .formatted(
                                place(),
                                why.gpusWanted(),
                                why.level() == null ? "" : " in one " + why.level(),
                                why.largestGpus()));
    }

    private String sizeField() {
        if (document.minReplicas() < document.replicas() && document.minReplicas() > 1) {
            return "elastic.min";
        }
        return document.replicas() > 1 && document.minReplicas() > 1 ? "replicas" : "resources.gpus";
    }

    private String field(int group, String field) {
        return plain() ? field : "groups[%d].%s".formatted(group, field);
    }

    private boolean plain() {
        return document.groups().size() == 1
                && document.groups().getFirst().name().equals(JobDocument.PLAIN_GROUP);
    }

    private String place() {
        return document.pool() == null ? "the whole fleet" : "pool " + document.pool();
    }

    private static DocumentFault fault(String field, String message) {
        return new DocumentFault(field, CODE, message, null, null);
    }
}
