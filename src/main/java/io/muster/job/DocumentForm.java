package io.muster.job;

import io.muster.model.GpuTypeId;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TopologyRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A {@link JobDocument} in the words and units that people write, in the order of the page that describes it. */
final class DocumentForm {
    private static final long MIB = 1L << 20;

    private DocumentForm() {}

    static ObjectNode of(JobDocument d) {
        ObjectNode n = JsonNodeFactory.instance.objectNode();
        n.put("name", d.name());
        n.put("team", d.team().value());
        n.put("priority", d.priority());
        groups(n, d);
        gpu(n, d);
        if (d.pool() != null) {
            n.put("pool", d.pool().value());
        }
        topology(n, d);
        duration(n, "walltime", d.walltime());
        n.put("preemptible", d.preemptible());
        checkpoint(n.putObject("checkpoint"), d.checkpoint());
        if (d.userRetries() > 0) {
            n.putObject("retry").put("onFailure", d.userRetries());
        }
        data(n, d);
        strings(n, "labels", d.labels());
        return n;
    }

    private static void groups(ObjectNode n, JobDocument d) {
        JobDocument.Group first = d.groups().getFirst();
        if (isPlain(d)) {
            group(n, first);
            return;
        }
        ArrayNode groups = n.putArray("groups");
        for (JobDocument.Group g : d.groups()) {
            ObjectNode group = groups.addObject().put("name", g.name());
            group(group, g);
            slices(group, g.slices());
        }
    }

    private static void slices(ObjectNode n, @Nullable Slices slices) {
        if (slices != null) {
            n.putObject("slices").put("size", slices.size()).put("level", slices.level());
        }
    }

    private static boolean isPlain(JobDocument d) {
        return d.groups().size() == 1 && d.groups().getFirst().name().equals(JobDocument.PLAIN_GROUP);
    }

    private static void group(ObjectNode n, JobDocument.Group g) {
        n.put("image", g.image());
        if (!g.command().isEmpty()) {
            ArrayNode command = n.putArray("command");
            g.command().forEach(command::add);
        }
        if (g.workdir() != null) {
            n.put("workdir", g.workdir());
        }
        strings(n, "env", new TreeMap<>(g.env()));
        n.put("replicas", g.replicas());
        if (g.isElastic()) {
            n.putObject("elastic").put("min", g.min());
        }
        resources(n.putObject("resources"), g.each(), g.sharedMemoryBytes());
    }

    private static void resources(ObjectNode n, Resources each, long sharedMemory) {
        n.put("gpus", each.gpus());
        if (each.cpuMillis() > 0) {
            if (each.cpuMillis() % 1000 == 0) {
                n.put("cpus", each.cpuMillis() / 1000);
            } else {
                n.put("cpus", Quantity.cpus(each.cpuMillis()));
            }
        }
        bytes(n, "memory", each.memoryBytes());
        bytes(n, "sharedMemory", sharedMemory);
    }

    private static void gpu(ObjectNode n, JobDocument d) {
        if (!d.gpuTypes().isEmpty()) {
            ArrayNode types = n.putObject("gpu").putArray("types");
            d.gpuTypes().stream().map(GpuTypeId::value).forEach(types::add);
        } else if (d.minGpuMemoryMib() > 0) {
            n.putObject("gpu").put("memory", Quantity.bytes(d.minGpuMemoryMib() * MIB));
        }
    }

    private static void topology(ObjectNode n, JobDocument d) {
        TopologyRequest t = d.topology();
        Slices slices = isPlain(d) ? d.groups().getFirst().slices() : null;
        if (t.require() == null && t.prefer() == null && slices == null) {
            return;
        }
        ObjectNode topology = n.putObject("topology");
        if (t.require() != null) {
            topology.put("require", t.require());
        }
        if (t.prefer() != null) {
            topology.put("prefer", t.prefer());
        }
        if (!t.patience().isZero()) {
            duration(topology, "patience", t.patience());
        }
        slices(topology, slices);
    }

    private static void checkpoint(ObjectNode n, JobDocument.Checkpoint c) {
        n.put("by", c.by().name().toLowerCase(Locale.ROOT));
        duration(n, "grace", c.grace());
        duration(n, "every", c.every());
        if (c.path() != null) {
            n.put("path", c.path());
        }
    }

    private static void data(ObjectNode n, JobDocument d) {
        if (d.data().isEmpty()) {
            return;
        }
        ArrayNode data = n.putArray("data");
        for (JobDocument.Data each : d.data()) {
            ObjectNode entry = data.addObject();
            switch (each) {
                case JobDocument.Data.Volume v -> entry.put("volume", v.volume());
                case JobDocument.Data.Scratch s -> entry.put("scratch", Quantity.bytes(s.bytes()));
            }
            entry.put("at", each.at());
            if (each instanceof JobDocument.Data.Volume(String volume, String at, boolean readOnly) && readOnly) {
                entry.put("readOnly", true);
            }
        }
    }

    private static void strings(ObjectNode n, String field, SortedMap<String, String> values) {
        if (!values.isEmpty()) {
            ObjectNode map = n.putObject(field);
            values.forEach(map::put);
        }
    }

    private static void bytes(ObjectNode n, String field, long bytes) {
        if (bytes > 0) {
            n.put(field, Quantity.bytes(bytes));
        }
    }

    private static void duration(ObjectNode n, String field, @Nullable Duration value) {
        if (value != null) {
            n.put(field, PlainDuration.of(value));
        }
    }
}
