package io.muster.simulator.engine;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Placer;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.topology.Partition;
import io.muster.simulator.trace.Note;
import io.muster.simulator.trace.RecordedJob;
import io.muster.simulator.trace.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The jobs of a run: a workload brought to a site. Jobs are numbered in the order in which they are submitted. */
public final class Cast {
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** A job saves whenever it is asked, and loses nothing but the restart. */
    private static final Duration SAVES = Duration.ZERO;

    private final Site site;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private final List<Note> neverFitting = new ArrayList<>();
    private final Map<Shape, Fitting> fittings = new HashMap<>();
    private final Room empty;
    private final Placer placer;
    private final List<PoolId> pools;
    private final int largestNode;

    private record Shape(List<GroupShape> groups, List<GpuTypeId> types) {}

    private record Fitting(int number, Gang gang, List<Partition> options) {}

    /**
     * @param truthfulWalltimes jobs say how long they will run
     */
    public Cast(Site site, Workload workload, boolean truthfulWalltimes) {
        this.site = site;
        empty = new Room(site.fleet());
        placer = new Placer(empty);
        pools = site.pools().stream().map(PoolView::id).toList();
        int most = 1;
        for (int n = 0; n < site.fleet().size(); n++) {
            most = Math.max(most, site.fleet().takes(n) ? site.fleet().ours(n).gpus() : 0);
        }
        largestNode = most;
        var teams = new HashMap<TeamPath, Integer>();
        site.teams().forEach(team -> teams.put(team, teams.size()));
        for (var recorded : workload.jobs()) {
            add(recorded, teams.getOrDefault(TeamNames.path(recorded.owner().team()), 0), truthfulWalltimes);
        }
    }

    private void add(RecordedJob recorded, int team, boolean truthful) {
        var groups = groups(recorded);
        var types = recorded.wants().gpuTypes().stream().map(GpuTypeId::new).toList();
        var fitting = fittings.computeIfAbsent(new Shape(groups, types), this::fitting);
        if (fitting.options.isEmpty()) {
            neverFitting.add(
                    new Note(recorded.line(), Note.Effect.LEFT_OUT, "no part of the fleet could ever hold it"));
            return;
        }
        var walltime = truthful ? recorded.runTime() : recorded.walltime();
        var facts = facts(recorded, new JobId(jobs.size() + 1L), site.teams().get(team), groups, types, walltime);
        jobs.add(new SimulatedJob(
                recorded,
                facts,
                fitting.gang,
                fitting.number,
                fitting.options,
                team,
                recorded.submittedAt().toEpochMilli()));
    }

    private Fitting fitting(Shape shape) {
        var gang = new Gang(shape.groups);
        var options = site.fleet().partitions().stream()
                .filter(p -> shape.types.isEmpty() || shape.types.contains(p.type()))
                .filter(p -> placer.place(gang, p, LevelWish.ANYWHERE, empty.future(), null) != null)
                .toList();
        return new Fitting(fittings.size(), gang, options);
    }

    /** As many whole nodes as it fills, and one replica with the rest; CPU and memory go with the GPUs. */
    private List<GroupShape> groups(RecordedJob job) {
        int whole = job.gpus() / largestNode;
        int rest = job.gpus() % largestNode;
        var groups = new ArrayList<GroupShape>();
        if (whole > 0) groups.add(new GroupShape("workers", whole, part(job, largestNode)));
        if (rest > 0) groups.add(new GroupShape(whole > 0 ? "rest" : "workers", 1, part(job, rest)));
        return List.copyOf(groups);
    }

    private static Resources part(RecordedJob job, int gpus) {
        var wants = job.wants();
        return new Resources(gpus, wants.cpuMillis() * gpus / job.gpus(), wants.memoryBytes() / job.gpus() * gpus);
    }

    private JobFacts facts(
            RecordedJob job,
            JobId id,
            TeamPath team,
            List<GroupShape> groups,
            List<GpuTypeId> types,
            @Nullable Duration walltime) {
        return new JobFacts(
                id,
                teamId(team),
                new UserId(uuid("user " + job.owner().user())),
                0,
                "normal",
                false,
                null,
                job.submittedAt(),
                pools,
                types,
                0,
                groups,
                TopologyRequest.NONE,
                true,
                walltime,
                GRACE,
                SAVES);
    }

    public static TeamId teamId(TeamPath team) {
        return new TeamId(uuid("team " + team));
    }

    private static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public Site site() {
        return site;
    }

    public List<SimulatedJob> jobs() {
        return jobs;
    }

    /** Jobs that were left out because the fleet is too small or of another kind. */
    public List<Note> neverFitting() {
        return neverFitting;
    }

    int shapes() {
        return fittings.size();
    }
}
