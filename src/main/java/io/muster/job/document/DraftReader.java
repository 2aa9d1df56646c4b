package io.muster.job.document;

import io.muster.model.CheckpointWay;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tree of a document into a {@link Draft}. */
final class DraftReader {
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
        String name = root.required("name", root.text("name", Rules::name));
        String team = root.required("team", root.text("team", Rules::team));
        String priority = root.text("priority", Rules::slug);
        FieldReader topology = root.object("topology");
        FieldReader slices = topology == null ? null : topology.object("slices");
        List<Draft.Group> groups = new GroupsReader(root, faults).read(slices);
        FieldReader gpu = root.object("gpu");
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
                new MountsReader(root).read(),
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
                "excludeNodes");
    }

    /** What depends on more than one field. */
    private void together(Draft draft) {
        // Shares and limits count GPUs: a job without any would take machines and be bound by none of them.
        boolean idle = draft.groups().stream().allMatch(group -> group.gpus() == 0);
        if (!draft.groups().isEmpty() && idle) {
            String field = root.has("groups") ? "groups" : "resources.gpus";
            faults.add(field, "out-of-range", "must ask for at least one GPU in all");
        }
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
}
