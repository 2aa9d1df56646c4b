package io.muster.web.openapi;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shape of a job document, for the document of the interface alone: the parser of the job module reads the real one. */
@Schema(
        name = "JobDocument",
        description =
                "What somebody wants to run; unknown fields are refused by name. The team's defaults fill what is missing.")
public record JobDocumentBody(
        @Schema(description = "A label, not an id: at most 63 letters, digits and -", example = "llama-finetune")
        String name,

        @Schema(description = "Path in the tree of teams", example = "research/vision")
        String team,

        @Schema(description = "A priority class; normal when left out", example = "normal") @Nullable String priority,

        @Schema(example = "images.example/train:1.4") @Nullable String image,

        @Schema(
                description = "Exec form; a single text is run by /bin/sh -c",
                oneOf = {String.class, String[].class},
                example = "[\"torchrun\", \"train.py\"]")
        @Nullable Object command,

        @Nullable String workdir,

        @Schema(description = "At most 64 KiB; MUSTER_* and NVIDIA_* are the platform's") @Nullable Map<String, String> env,

        @Schema(description = "Pods of the gang, 1 to 4096; 1 when left out") @Nullable Integer replicas,

        @Nullable Elastic elastic,
        @Nullable Resources resources,

        @Schema(description = "Named groups instead of replicas, when they differ") @Nullable List<Group> groups,

        @Nullable Gpu gpu,

        @Schema(description = "Any pool that the team may use when left out") @Nullable String pool,

        @Nullable Topology topology,

        @Schema(description = "Over all attempts' running time", example = "12h") @Nullable String walltime,

        @Nullable Boolean preemptible,
        @Nullable Checkpoint checkpoint,
        @Nullable Retry retry,
        @Nullable List<Mount> data,
        @Nullable Map<String, String> labels) {

    /** Of one replica; quantities as Kubernetes writes them. */
    @Schema(name = "JobDocumentResources")
    public record Resources(
            @Schema(description = "0 to 1024") @Nullable Integer gpus,

            @Schema(
                    oneOf = {Integer.class, String.class},
                    example = "64")
            @Nullable Object cpus,

            @Schema(example = "512Gi") @Nullable String memory,
            @Schema(example = "64Gi") @Nullable String sharedMemory) {}

    /** It works with fewer replicas than it asks for, and grows when there is room. */
    @Schema(name = "JobDocumentElastic")
    public record Elastic(
            @Schema(description = "The fewest replicas, 1 to replicas")
            Integer min) {}

    /** What a group does not say, it takes from the document. */
    @Schema(name = "JobDocumentGroup")
    public record Group(
            String name,
            @Nullable Integer replicas,
            @Nullable Elastic elastic,
            @Nullable Resources resources,
            @Nullable String image,

            @Schema(oneOf = {String.class, String[].class}) @Nullable Object command,

            @Nullable String workdir,
            @Nullable Map<String, String> env,
            @Nullable Slices slices) {}

    /** Acceptable types in order of preference, or the least nominal memory of one GPU. */
    @Schema(name = "JobDocumentGpu")
    public record Gpu(
            @Schema(example = "[\"H100-SXM\"]") @Nullable List<String> types,
            @Schema(example = "80GB") @Nullable String memory) {}

    /** Levels of the pool. */
    @Schema(name = "JobDocumentTopology")
    public record Topology(
            @Nullable String require,
            @Nullable String prefer,
            @Schema(example = "10m") @Nullable String patience,

            @Schema(description = "Of a job without groups; with groups it stands in each") @Nullable Slices slices) {}

    /** Replicas, in the order of their numbers, cut into slices that lie whole in one domain of a level. */
    @Schema(name = "JobDocumentSlices")
    public record Slices(
            @Schema(example = "8", minimum = "2") int size,
            @Schema(example = "nvlink") String level) {}

    /** How it saves; the path lies on a volume that outlives the pod. */
    @Schema(name = "JobDocumentCheckpoint")
    public record Checkpoint(
            @Schema(allowableValues = {"sigterm", "file", "api"}) @Nullable String by,

            @Schema(example = "2m") @Nullable String grace,
            @Schema(example = "30m") @Nullable String every,
            @Nullable String path) {}

    @Schema(name = "JobDocumentRetry")
    public record Retry(@Nullable Integer onFailure) {}

    /** Exactly one of volume and scratch. */
    @Schema(name = "JobDocumentMount")
    public record Mount(
            @Nullable String volume,
            @Schema(example = "500Gi") @Nullable String scratch,
            String at,
            @Nullable Boolean readOnly) {}
}
