package io.muster.job;

import io.muster.inventory.Fleet;
import io.muster.inventory.GpuType;
import io.muster.inventory.Pool;
import io.muster.job.document.Draft;
import io.muster.job.document.Faults;
import io.muster.job.document.ImageName;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.policy.PolicyValues;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TeamVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds a draft against what its team has and what the fleet offers; what is wrong goes to the faults. */
final class TeamRules {
    private final Draft draft;
    private final Faults faults;
    private final TeamDefaults defaults;
    private final List<TeamQuota> quotas;
    private final Map<String, TeamVolume> volumes;
    private final Fleet fleet;

    TeamRules(
            Draft draft,
            Faults faults,
            TeamId team,
            TeamDefaults defaults,
            List<TeamQuota> quotas,
            List<TeamVolume> volumes,
            Fleet fleet) {
        this.draft = draft;
        this.faults = faults;
        this.defaults = defaults;
        this.quotas = quotas.stream().filter(q -> q.team().equals(team)).toList();
        this.volumes = volumes.stream().collect(Collectors.toMap(TeamVolume::name, Function.identity(), (a, b) -> a));
        this.fleet = fleet;
    }

    void check(PolicyValues policy, @Nullable Duration walltimeSoFar) {
        images();
        times(policy, walltimeSoFar);
        volumes();
        checkpointPath();
        gpus();
        List<Pool> pools = pools();
        topology(pools);
        guarantee(pools);
    }

    private void images() {
        for (Draft.Group group : draft.groups()) {
            Optional<ImageName> image = ImageName.parse(group.image());
            if (image.isPresent() && !image.get().allowedBy(defaults.imageAllowlist())) {
                String field = group.path().isEmpty() ? "image" : group.path() + ".image";
                faults.add(
                        faults.stands(field) ? field : "image",
                        "image-not-allowed",
                        "%s/%s is not on the team's list of images"
                                .formatted(image.get().registry(), image.get().repository()));
            }
        }
    }

    private void times(PolicyValues policy, @Nullable Duration walltimeSoFar) {
        Duration asked = draft.walltime();
        Duration most = defaults.maxWalltime();
        if (asked != null && most != null && asked.compareTo(most) > 0 && !asked.equals(walltimeSoFar)) {
            faults.add(
                    "walltime",
                    "out-of-range",
                    "must be at most %s in this team, not %s"
                            .formatted(PlainDuration.of(most), PlainDuration.of(asked)));
        }
        if (draft.grace() != null && draft.grace().compareTo(policy.maxGrace()) > 0) {
            faults.add(
                    "checkpoint.grace",
                    "out-of-range",
                    "must be at most %s, not %s"
                            .formatted(PlainDuration.of(policy.maxGrace()), PlainDuration.of(draft.grace())));
        }
    }

    private void volumes() {
        for (Draft.Mount mount : draft.data()) {
            if (mount.volume() == null) {
                continue;
            }
            TeamVolume volume = volumes.get(mount.volume());
            if (volume == null) {
                faults.add(
                        mount.path() + ".volume",
                        "unknown-volume",
                        "the team has no volume %s; it has %s".formatted(mount.volume(), listed(volumes.keySet())));
            } else if (volume.readOnly() && Boolean.FALSE.equals(mount.readOnly())) {
                faults.add(mount.path() + ".readOnly", "read-only", "the team may only read " + volume.name());
            }
        }
    }

    /** A checkpoint that goes with the pod is none: it has to lie on a volume that may be written. */
    private void checkpointPath() {
        String path = draft.checkpointPath();
        if (path == null || faults.has("data")) {
            return;
        }
        Optional<Draft.Mount> mount = draft.data().stream()
                .filter(m -> path.equals(m.at()) || path.startsWith(m.at() + "/"))
                .max(java.util.Comparator.comparingInt(m -> m.at().length()));
        if (mount.isEmpty() || mount.get().volume() == null) {
            faults.add(
                    "checkpoint.path",
                    "not-lasting",
                    "must lie on a volume that outlives the pod; %s lies on %s"
                            .formatted(path, mount.isEmpty() ? "no mount of data" : "scratch space"));
        } else if (isReadOnly(mount.get())) {
            faults.add(
                    "checkpoint.path",
                    "read-only",
                    "lies on %s, which is mounted to be read only"
                            .formatted(mount.get().volume()));
        }
    }

    boolean isReadOnly(Draft.Mount mount) {
        TeamVolume volume = volumes.get(Objects.requireNonNull(mount.volume()));
        return Boolean.TRUE.equals(mount.readOnly()) || mount.readOnly() == null && volume != null && volume.readOnly();
    }

    private void gpus() {
        for (int i = 0; i < draft.gpuTypes().size(); i++) {
            if (fleet.gpuType(new GpuTypeId(draft.gpuTypes().get(i))).isEmpty()) {
                faults.add(
                        "gpu.types[" + i + "]",
                        "unknown-gpu-type",
                        "there is no GPU type %s; there are %s"
                                .formatted(
                                        draft.gpuTypes().get(i),
                                        listed(fleet.gpuTypes().stream()
                                                .map(t -> t.id().value())
                                                .toList())));
            }
        }
        Long memory = draft.minGpuMemoryMib();
        long most =
                fleet.gpuTypes().stream().mapToLong(GpuType::memoryMib).max().orElse(0);
        if (memory != null && memory > most) {
            faults.add(
                    "gpu.memory", "out-of-range", "no GPU has so much memory; the largest has %d MiB".formatted(most));
        }
    }

    /** The pool that was asked for, or every pool that the team may use. */
    private List<Pool> pools() {
        if (draft.pool() == null) {
            return fleet.pools().stream().filter(p -> !closed(p.id())).toList();
        }
        PoolId id = new PoolId(draft.pool());
        Optional<Pool> pool = fleet.pool(id);
        if (pool.isEmpty()) {
            faults.add(
                    "pool",
                    "unknown-pool",
                    "there is no pool %s; there are %s"
                            .formatted(
                                    id,
                                    listed(fleet.pools().stream()
                                            .map(p -> p.id().value())
                                            .toList())));
        } else if (closed(id)) {
            faults.add("pool", "pool-not-usable", "the team may use no GPUs of %s: its limit there is 0".formatted(id));
        }
        return pool.stream().toList();
    }

    private boolean closed(PoolId pool) {
        return quotas.stream()
                .anyMatch(q -> q.pool().equals(pool) && Integer.valueOf(0).equals(q.limit()));
    }

    private void topology(List<Pool> pools) {
        if (pools.isEmpty()) {
            return;
        }
        boolean known =
                level("topology.require", draft.require(), pools) & level("topology.prefer", draft.prefer(), pools);
        String require = draft.require();
        String prefer = draft.prefer();
        if (known && require != null && prefer != null && pools.stream().noneMatch(p -> finer(p, require, prefer))) {
            faults.add(
                    "topology.prefer",
                    "not-finer",
                    "%s must be finer than %s, which is required".formatted(prefer, require));
        }
        for (Draft.Group group : draft.groups()) {
            if (group.slices() != null) {
                slices(group.slices(), pools);
            }
        }
    }

    private void slices(Draft.Slicing slices, List<Pool> pools) {
        String field = slices.path() + ".level";
        String require = draft.require();
        if (level(field, slices.level(), pools)
                && require != null
                && pools.stream().anyMatch(p -> depth(p, require) >= 0)
                && pools.stream()
                        .noneMatch(p -> depth(p, require) >= 0 && depth(p, slices.level()) >= depth(p, require))) {
            faults.add(
                    field,
                    "not-finer",
                    "%s must not be coarser than %s, which is required".formatted(slices.level(), require));
        }
    }

    private boolean level(String field, @Nullable String level, List<Pool> pools) {
        if (level == null || pools.stream().anyMatch(p -> depth(p, level) >= 0)) {
            return true;
        }
        List<String> known = pools.stream()
                .flatMap(p -> p.levels().stream())
                .map(Pool.Level::name)
                .distinct()
                .toList();
        faults.add(field, "unknown-level", "there is no level %s; there are %s".formatted(level, listed(known)));
        return false;
    }

    private static boolean finer(Pool pool, String require, String prefer) {
        int outer = depth(pool, require);
        return outer >= 0 && depth(pool, prefer) > outer;
    }

    private static int depth(Pool pool, String level) {
        return pool.levels().stream().map(Pool.Level::name).toList().indexOf(level);
    }

    private void guarantee(List<Pool> pools) {
        if (!Boolean.FALSE.equals(draft.preemptible())) {
            return;
        }
        long wanted = draft.groups().stream()
                .mapToLong(g -> (long) g.min() * g.gpus())
                .sum();
        int most = quotas.stream()
                .filter(q -> pools.stream().anyMatch(p -> p.id().equals(q.pool())))
                .mapToInt(TeamQuota::guaranteed)
                .max()
                .orElse(0);
        if (wanted > most) {
            faults.add(
                    "preemptible",
                    "beyond-guarantee",
                    "a job that may not be preempted runs inside the team's guarantee: %d GPUs at most, not %d"
                            .formatted(most, wanted));
        }
    }

    private static String listed(java.util.Collection<String> names) {
        return names.isEmpty() ? "none" : names.stream().sorted().limit(20).collect(Collectors.joining(", "));
    }
}
