package io.muster.job;

import io.muster.model.CheckpointWay;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@link JobDocument} as {@code job_document.document} keeps it: the document as filled in, in exact units, and beside
 * it what people wrote, which PATCH merges into and the UI shows.
 */
public final class JobDocumentCodec {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String FILLED = "filled";
    private static final String WRITTEN = "written";

    private JobDocumentCodec() {}

    /** The stored form of a document that nobody wrote by hand. */
    public static String toJson(JobDocument document) {
        return toJson(document, DocumentForm.of(document));
    }

    /** The stored form of a document and of what was written. */
    static String toJson(JobDocument document, ObjectNode written) {
        ObjectNode stored = JSON.createObjectNode();
        stored.set(FILLED, filled(document));
        // As text: jsonb would not keep the order of the fields.
        stored.put(WRITTEN, written.toString());
        return JSON.writeValueAsString(stored);
    }

    /**
     * Reads the stored form.
     *
     * @throws IllegalArgumentException when it is not what {@link #toJson} writes
     */
    public static JobDocument fromJson(String stored) {
        JsonNode filled = JSON.readTree(stored).path(FILLED);
        if (!filled.isObject()) {
            throw new IllegalArgumentException("not a stored job document");
        }
        JobDocument document = document(filled);
        if (document.groups().isEmpty() || !document.groups().stream().allMatch(JobDocumentCodec::canBe)) {
            throw new IllegalArgumentException("no gang can be of " + document.groups());
        }
        return document;
    }

    private static boolean canBe(JobDocument.Group group) {
        return group.min() > 0 && group.min() <= group.replicas() && Resources.NONE.fitsIn(group.each());
    }

    /** What was written, from the stored form. */
    static ObjectNode written(String stored) {
        JsonNode written = JSON.readTree(stored).path(WRITTEN);
        if (written.isString() && JSON.readTree(written.asString()) instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException("not a stored job document");
    }

    private static ObjectNode filled(JobDocument d) {
        ObjectNode n = JSON.createObjectNode();
        n.put("name", d.name());
        n.put("team", d.team().value());
        n.put("priority", d.priority());
        ArrayNode groups = n.putArray("groups");
        d.groups().forEach(g -> group(groups.addObject(), g));
        strings(
                n.putArray("gpuTypes"),
                d.gpuTypes().stream().map(GpuTypeId::value).toList());
        n.put("minGpuMemoryMib", d.minGpuMemoryMib());
        put(n, "pool", d.pool() == null ? null : d.pool().value());
        topology(n.putObject("topology"), d.topology());
        put(n, "walltimeSeconds", d.walltime());
        n.put("preemptible", d.preemptible());
        checkpoint(n.putObject("checkpoint"), d.checkpoint());
        n.put("userRetries", d.userRetries());
        ArrayNode data = n.putArray("data");
        d.data().forEach(each -> data(data.addObject(), each));
        ObjectNode labels = n.putObject("labels");
        d.labels().forEach(labels::put);
        return n;
    }

    private static void group(ObjectNode n, JobDocument.Group g) {
        n.put("name", g.name());
        n.put("replicas", g.replicas());
        if (g.isElastic()) {
            n.put("min", g.min());
        }
        n.put("gpus", g.each().gpus());
        n.put("cpuMillis", g.each().cpuMillis());
        n.put("memoryBytes", g.each().memoryBytes());
        n.put("sharedMemoryBytes", g.sharedMemoryBytes());
        n.put("image", g.image());
        strings(n.putArray("command"), g.command());
        put(n, "workdir", g.workdir());
        ObjectNode env = n.putObject("env");
        new TreeMap<>(g.env()).forEach(env::put);
        if (g.slices() != null) {
            n.putObject("slices")
                    .put("size", g.slices().size())
                    .put("level", g.slices().level());
        }
    }

    private static void topology(ObjectNode n, TopologyRequest t) {
        put(n, "require", t.require());
        put(n, "prefer", t.prefer());
        put(n, "patienceSeconds", t.patience());
    }

    private static void checkpoint(ObjectNode n, JobDocument.Checkpoint c) {
        n.put("by", c.by().name());
        put(n, "graceSeconds", c.grace());
        put(n, "everySeconds", c.every());
        put(n, "path", c.path());
    }

    private static void data(ObjectNode n, JobDocument.Data data) {
        switch (data) {
            case JobDocument.Data.Volume v -> {
                n.put("volume", v.volume());
                n.put("readOnly", v.readOnly());
            }
            case JobDocument.Data.Scratch s -> n.put("scratchBytes", s.bytes());
        }
        n.put("at", data.at());
    }

    private static void strings(ArrayNode n, List<String> values) {
        values.forEach(n::add);
    }

    private static void put(ObjectNode n, String field, @Nullable String value) {
        if (value != null) {
            n.put(field, value);
        }
    }

    private static void put(ObjectNode n, String field, @Nullable Duration value) {
        if (value != null) {
            n.put(field, value.toSeconds());
        }
    }

    private static JobDocument document(JsonNode n) {
        JsonNode topology = n.get("topology");
        JsonNode checkpoint = n.get("checkpoint");
        String pool = text(n, "pool");
        return new JobDocument(
                n.get("name").asString(),
                new TeamPath(n.get("team").asString()),
                n.get("priority").asString(),
                each(n.get("groups"), JobDocumentCodec::group),
                each(n.get("gpuTypes"), t -> new GpuTypeId(t.asString())),
                n.get("minGpuMemoryMib").asLong(),
                pool == null ? null : new PoolId(pool),
                new TopologyRequest(
                        text(topology, "require"),
                        text(topology, "prefer"),
                        Duration.ofSeconds(topology.get("patienceSeconds").asLong())),
                duration(n, "walltimeSeconds"),
                n.get("preemptible").asBoolean(),
                new JobDocument.Checkpoint(
                        CheckpointWay.valueOf(checkpoint.get("by").asString()),
                        Duration.ofSeconds(checkpoint.get("graceSeconds").asLong()),
                        duration(checkpoint, "everySeconds"),
                        text(checkpoint, "path")),
                n.get("userRetries").asInt(),
                each(n.get("data"), JobDocumentCodec::data),
                map(n.get("labels")));
    }

    private static JobDocument.Group group(JsonNode n) {
        int replicas = n.get("replicas").asInt();
        return new JobDocument.Group(
                n.get("name").asString(),
                replicas,
                n.has("min") ? n.get("min").asInt() : replicas,
                new Resources(
                        n.get("gpus").asInt(),
                        n.get("cpuMillis").asLong(),
                        n.get("memoryBytes").asLong()),
                n.get("sharedMemoryBytes").asLong(),
                n.get("image").asString(),
                each(n.get("command"), JsonNode::asString),
                text(n, "workdir"),
                map(n.get("env")),
                slices(n.get("slices")));
    }

    private static @Nullable Slices slices(@Nullable JsonNode n) {
        return n == null || n.isNull()
                ? null
                : new Slices(n.get("size").asInt(), n.get("level").asString());
    }

    private static JobDocument.Data data(JsonNode n) {
        String at = n.get("at").asString();
        return n.has("volume")
                ? new JobDocument.Data.Volume(
                        n.get("volume").asString(), at, n.get("readOnly").asBoolean())
                : new JobDocument.Data.Scratch(n.get("scratchBytes").asLong(), at);
    }

    private static <T> List<T> each(JsonNode array, Function<JsonNode, T> read) {
        List<T> values = new ArrayList<>(array.size());
        array.forEach(each -> values.add(read.apply(each)));
        return values;
    }

    private static TreeMap<String, String> map(JsonNode object) {
        TreeMap<String, String> values = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            values.put(field.getKey(), field.getValue().asString());
        }
        return values;
    }

    private static @Nullable String text(JsonNode n, String field) {
        JsonNode value = n.get(field);
        return value == null || value.isNull() ? null : value.asString();
    }

    private static @Nullable Duration duration(JsonNode n, String field) {
        JsonNode value = n.get(field);
        return value == null || value.isNull() ? null : Duration.ofSeconds(value.asLong());
    }
}
