package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.CheckpointWay;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobDocumentCodecTest {

    @Test
    void aFullDocumentComesBackEqual() {
        JobDocument document = new JobDocument(
                "llama-finetune",
                new TeamPath("research/vision"),
                "normal",
                List.of(
                        group("worker", 4, Map.of("LR", "3e-4", "EMPTY", "")),
                        group("parameter", 4, Map.of(), new Slices(2, "rack"))),
                List.of(new GpuTypeId("H100-SXM"), new GpuTypeId("A100-80GB")),
                0,
                new PoolId("h100"),
                new TopologyRequest("block", "rack", Duration.ofMinutes(10)),
                Duration.ofHours(12),
                true,
                new JobDocument.Checkpoint(
                        CheckpointWay.API, Duration.ofMinutes(2), Duration.ofMinutes(30), "/vision/ckpt"),
                1,
                List.of(
                        new JobDocument.Data.Volume("imagenet", "/data", true),
                        new JobDocument.Data.Scratch(500L << 30, "/scratch")),
                new TreeMap<>(Map.of("project", "clip")));
        assertThat(JobDocumentCodec.fromJson(JobDocumentCodec.toJson(document))).isEqualTo(document);
    }

    @Test
    void aBareDocumentComesBackEqual() {
        JobDocument document = new JobDocument(
                "x",
                new TeamPath("ml"),
                "low",
                List.of(new JobDocument.Group(
                        JobDocument.PLAIN_GROUP, 1, Resources.gpus(0), 0, "busybox", List.of(), null, Map.of())),
                List.of(),
                81920,
                null,
                TopologyRequest.NONE,
                null,
                false,
                new JobDocument.Checkpoint(CheckpointWay.SIGTERM, Duration.ofMinutes(2), null, null),
                0,
                List.of(),
                new TreeMap<>());
        assertThat(JobDocumentCodec.fromJson(JobDocumentCodec.toJson(document))).isEqualTo(document);
    }

    @Test
    void anElasticGroupKeepsItsFewestReplicas() {
        var elastic = new JobDocument.Group(
                JobDocument.PLAIN_GROUP, 8, 2, Resources.gpus(8), 0, "busybox", List.of(), null, Map.of(), null);
        JobDocument document = new JobDocument(
                "x",
                new TeamPath("ml"),
                "low",
                List.of(elastic),
                List.of(),
                0,
                null,
                TopologyRequest.NONE,
                null,
                true,
                new JobDocument.Checkpoint(CheckpointWay.SIGTERM, Duration.ofMinutes(2), null, null),
                0,
                List.of(),
                new TreeMap<>());
        assertThat(JobDocumentCodec.fromJson(JobDocumentCodec.toJson(document))).isEqualTo(document);
        assertThat(DocumentForm.of(document).path("elastic").toString()).isEqualTo("{\"min\":2}");
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> JobDocumentCodec.fromJson("{\"name\":\"x\"}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static JobDocument.Group group(String name, int replicas, Map<String, String> env) {
        return group(name, replicas, env, null);
    }

    private static JobDocument.Group group(
            String name, int replicas, Map<String, String> env, @Nullable Slices slices) {
        return new JobDocument.Group(
                name,
                replicas,
                replicas,
                new Resources(8, 64_500, 512L << 30),
                64L << 30,
                "images.example/train:1.4",
                List.of("torchrun", "train.py"),
                "/app",
                env,
                slices);
    }
}
