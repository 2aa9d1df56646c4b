package io.muster.job.document;

import io.muster.job.DocumentText;
import io.muster.job.JobDocument;
import io.muster.model.CheckpointWay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tree of a document into a {@link Draft}. */
final class DraftReader {
    static final int MOST_GPUS = 1024;
    static final int MOST_REPLICAS = 4096;
    private static final int MOST_ENV_BYTES = 64 << 10;
    private static final int MOST_ARGUMENTS = 1024;
    private static final int MOST_GROUPS = 16;
    private static final int MOST_MOUNTS = 32;
    private static final int MOST_LABELS = 32;
    private static final int MOST_RETRIES = 100;
    private static final long MOST_BYTES = 1L << 50;
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Pattern GIGABYTES = Pattern.compile("([0-9]{1,6})GB");
    private static final long MIB = 1L << 20;

    private final FieldReader root;
    private final Faults faults;

    DraftReader(FieldReader root, Faults faults) {
        this.root = root;
        this.faults = faults;
    }

    /** What could be read; complete only when there are no faults. */
    Draft read() {
        refuseReserved();
        String name = required(root, "name", root.text("name", Rules::name));
        String team = required(root, "team", root.text("team", Rules::team));
        String priority = root.text("priority", Rules::slug);
        List<Draft.Group> groups = groups();
        FieldReader gpu = root.object("gpu");
        FieldReader topology = root.object("topology");
        FieldReader checkpoint = root.object("checkpoint");
        FieldReader retry = root.object("retry");
        Integer retries = retry == null ? null : retry.integer("onFailure", 0, MOST_RETRIES);
        String by = checkpoint == null ? null : checkpoint.word("by", List.of("sigterm", "file", "api"));
        Draft draft = new Draft(
                name,
                team,
                priority,
                groups,
                gpu == null ? List.of() : gpuTypes(gpu),
                gpu == null ? null : gpuMemory(gpu),
                root.text("pool", Rules::slug),
                topology == null ? null : topology.text("require", Rules::slug),
                topology == null ? null : topology.text("prefer", Rules::slug),
                topology == null ? null : topology.duration("patience", Duration.ZERO, Duration.ofDays(7)),
                root.duration("walltime", Duration.ofMinutes(1), LONGEST),
                root.flag("preemptible"),
                by == null ? null : CheckpointWay.valueOf(by.toUpperCase(Locale.ROOT)),
                checkpoint == null ? null : checkpoint.duration("grace", Duration.ofSeconds(1), Duration.ofDays(1)),
                checkpoint == null ? null : checkpoint.duration("every", Duration.ofSeconds(10), LONGEST),
                checkpoint == null ? null : checkpoint.text("path", Rules::path),
                retries == null ? 0 : retries,
                data(),
                root.map("labels", MOST_LABELS, Rules::labelName, Rules::labelValue));
        together(draft);
        for (FieldReader each : new FieldReader[] {gpu, topology, checkpoint, retry, root}) {
            if (each != null) {
                each.finish();
            }
        }
        return draft;
    }

    private void refuseReserved() {
        root.notYet(
                "elastic",
                "secrets",
                "imagePullSecret",
                "code",
                "after",
                "notBefore",
                "array",
                "kind",
                "ports",
                "idle",
                "notify",
                "excludeNodes",
                "slices");
    }

    /** What depends on more than one field. */
    private void together(Draft draft) {
        if (!draft.gpuTypes().isEmpty() && draft.minGpuMemoryMib() != null) {
            faults.add("gpu", "either-or", "takes either types or memory, not both");
        }
        if (draft.patience() != null && draft.prefer() == null && !faults.has("topology.prefer")) {
            faults.add("topology.patience", "needs", "is the patience for topology.prefer, which is not given");
        }
        if (draft.checkpointPath() == null && !faults.has("checkpoint.path")) {
            if (draft.every() != null) {
                faults.add("checkpoint.every", "needs", "needs checkpoint.path: where it saves");
            } else if (draft.by() == CheckpointWay.API || draft.by() == CheckpointWay.FILE) {
                faults.add("checkpoint.path", "required", "says where it saves, and is needed by this way of saving");
            }
        }
    }

    private List<String> gpuTypes(FieldReader gpu) {
        List<String> types = gpu.texts("types", 16, Rules::gpuType);
        if (types == null) {
            return List.of();
        }
        if (types.isEmpty() && !faults.has("gpu.types")) {
            gpu.fault("types", "empty", "must name at least one GPU type; leave it out to take any");
        }
        if (new HashSet<>(types).size() < types.size()) {
            gpu.fault("types", "duplicate", "names a type twice");
        }
        return types;
    }

    /** Nominal memory in MiB: people say 80GB of a GPU that its maker calls so. */
    private @Nullable Long gpuMemory(FieldReader gpu) {
        OptionalLong[] read = {OptionalLong.empty()};
        gpu.text("memory", text -> {
            Matcher gigabytes = GIGABYTES.matcher(text);
            read[0] = gigabytes.matches()
                    ? OptionalLong.of(Long.parseLong(gigabytes.group(1)) * 1_000_000_000L)
                    : io.muster.job.Quantity.units(text);
            boolean fits = read[0].isPresent() && read[0].getAsLong() >= MIB && read[0].getAsLong() < MOST_BYTES;
            return fits ? Optional.empty() : Optional.of("must be the memory of one GPU such as 80GB or 80Gi");
        });
        return read[0].isEmpty() ? null : read[0].getAsLong() / MIB;
    }

    private List<Draft.Group> groups() {
        FieldReader resources = root.object("resources");
        GroupDefaults defaults = new GroupDefaults(
                root.text("image", Rules::image),
                command(root),
                root.text("workdir", Rules::path),
                env(root),
                resources == null ? Amounts.NONE : amounts(resources));
        Integer replicas = root.integer("replicas", 1, MOST_REPLICAS);
        List<FieldReader> listed = root.objects("groups", MOST_GROUPS);
        if (resources != null) {
            resources.finish();
        }
        if (!root.has("groups")) {
            return plain(defaults, replicas);
        }
        if (replicas != null) {
            root.fault("replicas", "either-or", "stands in each group when there are groups");
        }
        return listed == null ? List.of() : listed(listed, defaults);
    }

    private List<Draft.Group> plain(GroupDefaults defaults, @Nullable Integer replicas) {
        String image = required(root, "image", defaults.image());
        Integer gpus = required(root, "resources.gpus", defaults.amounts().gpus());
        if (image == null || gpus == null) {
            return List.of();
        }
        return List.of(group("", JobDocument.PLAIN_GROUP, replicas == null ? 1 : replicas, gpus, image, defaults));
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
        in.notYet("elastic", "slices", "topology", "gpu");
        String name = required(in, "name", in.text("name", Rules::group));
        Integer replicas = in.integer("replicas", 1, MOST_REPLICAS);
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
        String image = required(in, "image", merged.image());
        Integer gpus = required(in, "resources.gpus", merged.amounts().gpus());
        if (name == null || image == null || gpus == null) {
            return null;
        }
        boundEnv(in, env);
        return group(in.path("").replaceAll("\\.$", ""), name, replicas == null ? 1 : replicas, gpus, image, merged);
    }

    private static Draft.Group group(String path, String name, int replicas, int gpus, String image, GroupDefaults of) {
        return new Draft.Group(
                path,
                name,
                replicas,
                gpus,
                of.amounts().cpuMillis(),
                of.amounts().memoryBytes(),
                of.amounts().sharedMemoryBytes(),
                image,
                of.command() == null ? List.of() : of.command(),
                of.workdir(),
                of.env());
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

    private List<Draft.Mount> data() {
        List<FieldReader> listed = root.objects("data", MOST_MOUNTS);
        List<Draft.Mount> mounts = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (FieldReader each : listed == null ? List.<FieldReader>of() : listed) {
            each.notYet("fetch", "secret");
            String volume = each.text("volume", Rules::slug);
            Long scratch = each.bytes("scratch", MIB, MOST_BYTES);
            String at = required(each, "at", each.text("at", Rules::mountPath));
            Boolean readOnly = each.flag("readOnly");
            if (each.has("volume") == each.has("scratch") && !each.has("fetch") && !each.has("secret")) {
                each.fault("volume", "either-or", "exactly one of volume and scratch is needed");
            }
            if (each.has("scratch") && Boolean.TRUE.equals(readOnly)) {
                each.fault("readOnly", "either-or", "makes no sense of scratch space");
            }
            if (at != null && !places.add(at)) {
                each.fault("at", "duplicate", "two things are mounted there");
            }
            each.finish();
            if (at != null && (volume == null) != (scratch == null)) {
                mounts.add(new Draft.Mount(each.path("").replaceAll("\\.$", ""), volume, scratch, at, readOnly));
            }
        }
        return mounts;
    }

    private <T> @Nullable T required(FieldReader in, String field, @Nullable T value) {
        if (value == null && !faults.has(in.path(field))) {
            in.fault(field, "required", "is needed");
        }
        return value;
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
