package io.muster.job.document;

import io.muster.job.DocumentText;
import io.muster.job.JobDocument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the groups of a document; a document without groups has one, made of its own fields, which else are the defaults of each. */
final class GroupsReader {
    static final int MOST_GPUS = 1024;
    static final int MOST_REPLICAS = 4096;
    private static final int MOST_ENV_BYTES = 64 << 10;
    private static final int MOST_ARGUMENTS = 1024;
    private static final int MOST_GROUPS = 16;
    private static final long MIB = 1L << 20;
    private static final long MOST_BYTES = 1L << 50;

    private final FieldReader root;
    private final Faults faults;

    GroupsReader(FieldReader root, Faults faults) {
        this.root = root;
        this.faults = faults;
    }

    /** Reads the groups; {@code jobSlices} are those of a document without groups, or null. */
    List<Draft.Group> read(@Nullable FieldReader jobSlices) {
        Draft.Slicing slices = jobSlices == null ? null : slices(jobSlices);
        FieldReader resources = root.object("resources");
        GroupDefaults defaults = new GroupDefaults(
                root.text("image", Rules::image),
                command(root),
                root.text("workdir", Rules::path),
                env(root),
                resources == null ? Amounts.NONE : amounts(resources));
        Integer replicas = root.integer("replicas", 1, MOST_REPLICAS);
        Integer min = min(root, replicas);
        List<FieldReader> listed = root.objects("groups", MOST_GROUPS);
        if (resources != null) {
            resources.finish();
        }
        if (!root.has("groups")) {
            return plain(defaults, size(replicas, min), slices);
        }
        if (jobSlices != null) {
            faults.add(pathOf(jobSlices), "either-or", "stand in each group when there are groups");
        }
        if (replicas != null) {
            root.fault("replicas", "either-or", "stands in each group when there are groups");
        }
        if (root.has("elastic")) {
            root.fault("elastic", "either-or", "stands in each group when there are groups");
        }
        return listed == null ? List.of() : listed(listed, defaults);
    }

    /** The fewest replicas that a group can work with, or null: all of them. */
    private static @Nullable Integer min(FieldReader in, @Nullable Integer replicas) {
        FieldReader elastic = in.object("elastic");
        if (elastic == null) {
            return null;
        }
        Integer min = elastic.required("min", elastic.integer("min", 1, MOST_REPLICAS));
        elastic.finish();
        int most = replicas == null ? 1 : replicas;
        if (min != null && min > most && !in.has("groups")) {
            elastic.fault("min", "out-of-range", "must be at most replicas, which is %d".formatted(most));
            return null;
        }
        return min;
    }

    private List<Draft.Group> plain(GroupDefaults defaults, Size size, Draft.@Nullable Slicing slices) {
        String image = root.required("image", defaults.image());
        Integer gpus = root.required("resources.gpus", defaults.amounts().gpus());
        if (image == null || gpus == null) {
            return List.of();
        }
        return List.of(group("", JobDocument.PLAIN_GROUP, size, gpus, image, defaults, slices));
    }

    /** Slices whose size and level could be read. */
    private static Draft.@Nullable Slicing slices(FieldReader in) {
        Integer size = in.required("size", in.integer("size", 2, MOST_REPLICAS));
        String level = in.required("level", in.text("level", Rules::slug));
        in.finish();
        return size == null || level == null ? null : new Draft.Slicing(pathOf(in), size, level);
    }

    private static String pathOf(FieldReader in) {
        return in.path("").replaceAll("\\.$", "");
    }

    private List<Draft.Group> listed(List<FieldReader> readers, GroupDefaults defaults) {
        List<Draft.Group> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long total = 0;
        for (FieldReader each : readers) {
            Draft.Group group = group(each, defaults);
            each.finish();
            if (group == null) {
                continue;
            }
            if (!names.add(group.name())) {
                each.fault("name", "duplicate", "is the name of two groups");
            }
            total += group.replicas();
            groups.add(group);
        }
        if (readers.isEmpty()) {
            root.fault("groups", "empty", "must list at least one group");
        }
        if (total > MOST_REPLICAS) {
            root.fault(
                    "groups", "out-of-range", "have %d replicas together; at most %d".formatted(total, MOST_REPLICAS));
        }
        return groups;
    }

    private Draft.@Nullable Group group(FieldReader in, GroupDefaults defaults) {
        in.notYet("topology", "gpu");
        FieldReader ownSlices = in.object("slices");
        Draft.Slicing slices = ownSlices == null ? null : slices(ownSlices);
        String name = in.required("name", in.text("name", Rules::group));
        Integer replicas = in.integer("replicas", 1, MOST_REPLICAS);
        Integer min = min(in, replicas);
        FieldReader resources = in.object("resources");
        Amounts own = resources == null ? Amounts.NONE : amounts(resources);
        if (resources != null) {
            resources.finish();
        }
        List<String> command = command(in);
        String workdir = in.text("workdir", Rules::path);
        String ownImage = in.text("image", Rules::image);
        SequencedMap<String, String> env = new LinkedHashMap<>(defaults.env());
        env.putAll(env(in));
        GroupDefaults merged = new GroupDefaults(
                ownImage == null ? defaults.image() : ownImage,
                command == null ? defaults.command() : command,
                workdir == null ? defaults.workdir() : workdir,
                env,
                own.or(defaults.amounts()));
        String image = in.required("image", merged.image());
        Integer gpus = in.required("resources.gpus", merged.amounts().gpus());
        if (name == null || image == null || gpus == null) {
            return null;
        }
        boundEnv(in, env);
        return group(pathOf(in), name, size(replicas, min), gpus, image, merged, slices);
    }

    private record Size(int replicas, int min) {}

    private static Size size(@Nullable Integer replicas, @Nullable Integer min) {
        int all = replicas == null ? 1 : replicas;
        return new Size(all, min == null ? all : min);
    }

    private Draft.Group group(
            String path,
            String name,
            Size size,
            int gpus,
            String image,
            GroupDefaults of,
            Draft.@Nullable Slicing slices) {
        if (slices != null && size.replicas % slices.size() != 0) {
            faults.add(
                    slices.path() + ".size",
                    "not-a-divisor",
                    "must divide the replicas: %d cannot be cut into slices of %d"
                            .formatted(size.replicas, slices.size()));
        }
        if (slices != null && size.min < size.replicas) {
            String at = path.isEmpty() ? "elastic" : path + ".elastic";
            faults.add(at, "either-or", "is not for replicas that are cut into slices");
        }
        return new Draft.Group(
                path,
                name,
                size.replicas,
                size.min,
                gpus,
                of.amounts().cpuMillis(),
                of.amounts().memoryBytes(),
                of.amounts().sharedMemoryBytes(),
                image,
                of.command() == null ? List.of() : of.command(),
                of.workdir(),
                of.env(),
                slices);
    }

    private static @Nullable List<String> command(FieldReader in) {
        List<String> command = in.textOrTexts(
                "command", MOST_ARGUMENTS, Rules.argument(MOST_ENV_BYTES), script -> List.of("/bin/sh", "-c", script));
        if (command != null && command.stream().mapToLong(String::length).sum() > MOST_ENV_BYTES) {
            in.fault("command", "too-large", "must have at most %d characters in all".formatted(MOST_ENV_BYTES));
        }
        return command;
    }

    private SequencedMap<String, String> env(FieldReader in) {
        SequencedMap<String, String> env = in.map("env", 1024, Rules::envName, Rules.argument(DocumentText.MOST_BYTES));
        boundEnv(in, env);
        return env;
    }

    private void boundEnv(FieldReader in, Map<String, String> env) {
        long bytes = env.entrySet().stream()
                .mapToLong(e -> e.getKey().length() + utf8Length(e.getValue()) + 2)
                .sum();
        if (bytes > MOST_ENV_BYTES && !faults.has(in.path("env"))) {
            in.fault("env", "too-large", "must have at most %d bytes in all, not %d".formatted(MOST_ENV_BYTES, bytes));
        }
    }

    private static long utf8Length(String text) {
        return text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }

    private static Amounts amounts(FieldReader in) {
        in.notYet("mig", "slices");
        return new Amounts(
                in.integer("gpus", 0, MOST_GPUS),
                in.cpuMillis("cpus", 4096_000),
                in.bytes("memory", MIB, MOST_BYTES),
                in.bytes("sharedMemory", MIB, MOST_BYTES));
    }

    private record GroupDefaults(
            @Nullable String image,
            @Nullable List<String> command,
            @Nullable String workdir,
            SequencedMap<String, String> env,
            Amounts amounts) {}

    private record Amounts(
            @Nullable Integer gpus,
            @Nullable Long cpuMillis,
            @Nullable Long memoryBytes,
            @Nullable Long sharedMemoryBytes) {
        static final Amounts NONE = new Amounts(null, null, null, null);

        Amounts or(Amounts other) {
            return new Amounts(
                    gpus == null ? other.gpus : gpus,
                    cpuMillis == null ? other.cpuMillis : cpuMillis,
                    memoryBytes == null ? other.memoryBytes : memoryBytes,
                    sharedMemoryBytes == null ? other.sharedMemoryBytes : sharedMemoryBytes);
        }
    }
}
