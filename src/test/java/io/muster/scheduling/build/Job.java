package io.muster.scheduling.build;

import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamId;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job in words: {@code job(7).team("vision").replicas(4).gpus(8)}, waiting or {@code .on("n1", "n2")}. */
public final class Job {
    /** The instant of every snapshot that does not say otherwise. */
    public static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    final long id;
    String team = "a";
    String user = "u";
    int priority;
    String priorityClass = "normal";
    boolean acrossTeams;

    @Nullable Integer classCap;

    Instant submitted = NOW.minus(Duration.ofMinutes(5));

    @Nullable Instant waitingSince;

    List<String> pools = List.of();
    List<String> types = List.of();
    long minGpuMemory;
    int replicas = 1;

    /** The fewest replicas, 0: all of them. */
    int min;

    Resources each = Resources.gpus(1);
    final List<GroupShape> groups = new ArrayList<>();

    @Nullable Slices slices;

    TopologyRequest topology = TopologyRequest.NONE;
    boolean preemptible = true;

    @Nullable Duration walltime;

    Duration grace = Duration.ofMinutes(2);

    @Nullable Duration every;

    WaitingJob.@Nullable Backoff backoff;
    final Set<NodeId> excluded = new LinkedHashSet<>();
    final Set<JobId> notBeside = new LinkedHashSet<>();

    List<String> places = List.of();
    JobState state = JobState.RUNNING;
    Instant started = NOW.minus(Duration.ofHours(1));
    boolean running = true;

    @Nullable Instant checkpointed;

    Duration restart = Duration.ZERO;

    @Nullable Instant expectedEnd;

    boolean backfilled;

    @Nullable JobId leavingFor;

    boolean leaving;
    int preemptionsToday;

    @Nullable Instant protectedUntil;

    Service service = Service.NONE;

    private Job(long id) {
        this.id = id;
    }

    public static Job job(long id) {
        return new Job(id);
    }

    public Job team(String path) {
        team = path;
        return this;
    }

    public Job user(String name) {
        user = name;
        return this;
    }

    public Job priority(int value) {
        priority = value;
        return this;
    }

    public Job production(@Nullable Integer cap) {
        priority = 2000;
        priorityClass = "production";
        acrossTeams = true;
        classCap = cap;
        return this;
    }

    public Job submitted(Duration ago) {
        submitted = NOW.minus(ago);
        return this;
    }

    public Job waitingSince(Duration ago) {
        waitingSince = NOW.minus(ago);
        return this;
    }

    public Job pools(String... names) {
        pools = List.of(names);
        return this;
    }

    public Job types(String... names) {
        types = List.of(names);
        return this;
    }

    public Job gpuMemory(long mib) {
        minGpuMemory = mib;
        return this;
    }

    public Job replicas(int count) {
        replicas = count;
        return this;
    }

    /** Asks for {@code count} replicas and works with {@code fewest}. */
    public Job elastic(int fewest, int count) {
        min = fewest;
        replicas = count;
        return this;
    }

    /** GPUs of each replica. */
    public Job gpus(int count) {
        each = new Resources(count, each.cpuMillis(), each.memoryBytes());
        return this;
    }

    public Job cpus(int count) {
        each = new Resources(each.gpus(), count * 1000L, each.memoryBytes());
        return this;
    }

    public Job memory(long bytes) {
        each = new Resources(each.gpus(), each.cpuMillis(), bytes);
        return this;
    }

    public Job group(String name, int count, Resources amount) {
        groups.add(new GroupShape(name, count, amount));
        return this;
    }

    public Job group(String name, int count, Resources amount, int sliceSize, String sliceLevel) {
        groups.add(new GroupShape(name, count, amount, new Slices(sliceSize, sliceLevel)));
        return this;
    }

    /** Each {@code size} replicas in one domain of {@code level}. */
    public Job slices(int size, String level) {
        slices = new Slices(size, level);
        return this;
    }

    public Job require(String level) {
        topology = new TopologyRequest(level, topology.prefer(), topology.patience());
        return this;
    }

    public Job prefer(String level, Duration patience) {
        topology = new TopologyRequest(topology.require(), level, patience);
        return this;
    }

    public Job notPreemptible() {
        preemptible = false;
        return this;
    }

    public Job walltime(Duration value) {
        walltime = value;
        return this;
    }

    public Job every(Duration value) {
        every = value;
        return this;
    }

    public Job backoff(Duration left) {
        backoff = new WaitingJob.Backoff(NOW.plus(left), FailureClass.GPU_FAULT, 1);
        return this;
    }

    /** Its last attempt could not pull its image; the wait after that is over. */
    public Job imageUnseen() {
        backoff = new WaitingJob.Backoff(NOW.minusSeconds(1), FailureClass.IMAGE, 1);
        return this;
    }

    public Job excluding(String node) {
        excluded.add(new NodeId(node));
        return this;
    }

    public Job notBeside(long beneficiary) {
        notBeside.add(new JobId(beneficiary));
        return this;
    }

    /** Runs with one replica on each name given; a name may be given more than once. */
    public Job on(String... nodes) {
        places = List.of(nodes);
        replicas = min > 0 ? replicas : nodes.length;
        return this;
    }

    public Job started(Duration ago) {
        started = NOW.minus(ago);
        submitted = started;
        return this;
    }

    public Job starting() {
        state = JobState.STARTING;
        running = false;
        return this;
    }

    public Job checkpointed(Duration ago) {
        checkpointed = NOW.minus(ago);
        return this;
    }

    public Job restartTakes(Duration value) {
        restart = value;
        return this;
    }

    public Job expectedToEndIn(Duration value) {
        expectedEnd = NOW.plus(value);
        return this;
    }

    public Job backfilled() {
        backfilled = true;
        return this;
    }

    public Job leavingFor(long beneficiary) {
        leavingFor = new JobId(beneficiary);
        leaving = true;
        state = JobState.CHECKPOINTING;
        return this;
    }

    public Job stopping() {
        leaving = true;
        state = JobState.STOPPING;
        return this;
    }

    public Job preemptedToday(int times) {
        preemptionsToday = times;
        return this;
    }

    public Job protectedFor(Duration value) {
        protectedUntil = NOW.plus(value);
        return this;
    }

    /** It ran for so long in all; nothing is known of its kind. */
    public Job had(Duration ran) {
        double nextEnd = new RunTimeHistory().cost(List.of(""), ran);
        return had(ran, Duration.ofMillis((long) (nextEnd * 1000)));
    }

    /** It ran for so long in all, and one more end of its kind costs so much running. */
    public Job had(Duration ran, Duration nextEnd) {
        service = new Service(ran, nextEnd);
        return this;
    }

    public JobId jobId() {
        return new JobId(id);
    }

    public JobFacts facts(List<String> allPools) {
        var shapes = groups.isEmpty()
                ? List.of(new GroupShape("main", replicas, min > 0 ? min : replicas, each, slices))
                : groups;
        return new JobFacts(
                jobId(),
                Ids.team(team),
                Ids.user(user),
                priority,
                priorityClass,
                acrossTeams,
                classCap,
                submitted,
                (pools.isEmpty() ? allPools : pools).stream().map(PoolId::new).toList(),
                types.stream().map(GpuTypeId::new).toList(),
                minGpuMemory,
                shapes,
                topology,
                preemptible,
                walltime,
                grace,
                every);
    }

    WaitingJob waiting(List<String> allPools) {
        var since = waitingSince == null ? submitted : waitingSince;
        return new WaitingJob(facts(allPools), since, backoff, excluded, notBeside, service);
    }

    RunningJob running(List<String> allPools, String pool) {
        var placements = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < places.size(); i++) {
            placements.add(new ReplicaPlacement("main", i, new NodeId(places.get(i)), each));
        }
        return new RunningJob(
                facts(allPools),
                new AttemptId(jobId(), 1),
                state,
                new PoolId(pool),
                placements,
                started,
                running ? started : null,
                checkpointed,
                restart,
                expectedEnd,
                backfilled,
                leavingFor,
                leaving,
                preemptionsToday,
                protectedUntil,
                excluded,
                service);
    }

    boolean isRunning() {
        return !places.isEmpty();
    }

    static TeamId team(Job job) {
        return Ids.team(job.team);
    }

    static UserId user(Job job) {
        return Ids.user(job.user);
    }
}
