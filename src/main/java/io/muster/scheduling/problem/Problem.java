package io.muster.scheduling.problem;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.plan.SetAside;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A snapshot, made ready to compute with. */
public final class Problem {
    private static final Comparator<WaitingJob> OLDEST =
            Comparator.comparing((WaitingJob w) -> w.facts().submittedAt()).thenComparing(WaitingJob::id);

    private final ClusterSnapshot snapshot;
    private final Fleet fleet;
    private final TeamTree tree;
    private final List<Occupant> occupants = new ArrayList<>();
    private final List<Claimant> claimants = new ArrayList<>();
    private final List<WaitingJob> neverFitting = new ArrayList<>();
    private final List<SetAside> setAside = new ArrayList<>();
    private final Map<JobId, Claimant> claimantById = new HashMap<>();
    private final Map<UserOfTeam, Integer> users;
    private final Map<Wants, Optional<Fitting>> fittings;
    private final Map<Alike, Integer> kinds;
    private final int[] reclaimedLately;
    private final Problem first;

    private record UserOfTeam(TeamId team, UserId user) {}

    /** What decides where a job could ever lie. */
    private record Wants(
            List<PoolId> pools, List<GpuTypeId> types, long memory, List<GroupShape> groups, TopologyRequest topology) {
        static Wants of(JobFacts facts) {
            return new Wants(
                    facts.pools(), facts.gpuTypes(), facts.minGpuMemoryMib(), facts.groups(), facts.topology());
        }
    }

    /** What decides about a job besides its place among others. */
    private record Alike(
            int shape,
            int user,
            int priority,
            boolean preemptible,
            @Nullable Duration walltime,
            @Nullable String privilege,
            @Nullable Instant patientSince) {}

    private record Fitting(int shape, Gang gang, List<Partition> options) {}

    public Problem(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        first = this;
        users = new HashMap<>();
        fittings = new HashMap<>();
        kinds = new HashMap<>();
        fleet = new Fleet(snapshot.pools(), snapshot.nodes());
        reclaimedLately = reclaimedLately();
        tree = new TeamTree(snapshot.teams(), teamsWithJobs(snapshot));
        snapshot.running().stream().sorted(Comparator.comparing(RunningJob::id)).forEach(this::occupy);
        snapshot.waiting().stream().sorted(OLDEST).forEach(this::read);
    }

    private Problem(Problem first, ClusterSnapshot left, List<SetAside> aside) {
        snapshot = left;
        this.first = first;
        users = first.users;
        fittings = first.fittings;
        kinds = first.kinds;
        fleet = first.fleet;
        tree = first.tree;
        reclaimedLately = reclaimedLately();
        neverFitting.addAll(first.neverFitting);
        setAside.addAll(aside);
        left.running().stream().sorted(Comparator.comparing(RunningJob::id)).forEach(this::occupy);
        var out = new HashSet<JobId>();
        aside.forEach(a -> out.add(a.job()));
        left.running().forEach(r -> out.add(r.id()));
        for (var claimant : first.claimants) {
            if (!out.contains(claimant.id())) {
                claimants.add(claimant);
                claimantById.put(claimant.id(), claimant);
            }
        }
    }

    /** The same problem in the world that decisions left: some who waited run, some who ran leave. Numbers stay. */
    public Problem after(ClusterSnapshot left) {
        return new Problem(first, left, setAside);
    }

    private int[] reclaimedLately() {
        var amounts = new int[fleet.pools().size()];
        snapshot.pools().forEach(p -> amounts[fleet.poolNumber(p.id())] = p.reclaimedLately());
        return amounts;
    }

    private static Set<TeamId> teamsWithJobs(ClusterSnapshot snapshot) {
        var teams = new HashSet<TeamId>();
        snapshot.waiting().forEach(w -> teams.add(w.facts().team()));
        snapshot.running().forEach(r -> teams.add(r.facts().team()));
        return teams;
    }

    private void occupy(RunningJob job) {
        var spots = Occupant.spots(job.placements(), fleet);
        int leaf = tree.leaf(job.facts().team());
        int user = leaf < 0 ? -1 : user(job.facts());
        occupants.add(
                new Occupant(occupants.size(), job, leaf, user, fleet.poolNumber(job.pool()), spots, job.gpusHeld()));
    }

    private int user(JobFacts facts) {
        return users.computeIfAbsent(new UserOfTeam(facts.team(), facts.user()), k -> users.size());
    }

    /** Reads one waiting job; whatever it throws stays with it. */
    private void read(WaitingJob job) {
        try {
            var fitting = fittings.computeIfAbsent(Wants.of(job.facts()), w -> fitting(job.facts()));
            if (fitting.isEmpty()) {
                neverFitting.add(job);
                return;
            }
            var claimant = claimant(job, fitting.get(), claimants.size());
            claimants.add(claimant);
            claimantById.put(claimant.id(), claimant);
        } catch (RuntimeException e) {
            setAside(job.id(), e);
        }
    }

    /** The claimant as it would be if it asked for something else; null when nothing could ever hold that. */
    public @Nullable Claimant changed(Claimant claimant, JobFacts facts) {
        var w = claimant.job();
        var job = new WaitingJob(facts, w.waitingSince(), w.backoff(), w.excludedNodes(), w.notBeside());
        return fittings.computeIfAbsent(Wants.of(facts), k -> fitting(facts))
                .map(fitting -> claimant(job, fitting, claimant.number()))
                .orElse(null);
    }

    private Claimant claimant(WaitingJob job, Fitting fitting, int number) {
        int leaf = tree.leaf(job.facts().team());
        if (leaf < 0) {
            throw new IllegalArgumentException("no such team: " + job.facts().team());
        }
        int user = user(job.facts());
        int priority = priority(job.facts(), snapshot.settings(), snapshot.asOf());
        var excluded = excluded(job.excludedNodes());
        boolean single = excluded != null || !job.notBeside().isEmpty() || job.backoff() != null;
        return new Claimant(
                number,
                job,
                fitting.gang,
                leaf,
                user,
                fitting.options,
                priority,
                fitting.shape,
                single ? Claimant.LIKE_NO_OTHER : kind(job, fitting, user, priority),
                excluded);
    }

    private int kind(WaitingJob job, Fitting fitting, int user, int priority) {
        var facts = job.facts();
        var alike = new Alike(
                fitting.shape,
                user,
                priority,
                facts.preemptible(),
                facts.walltime(),
                facts.acrossTeams() ? facts.priorityClass() + facts.classCap() : null,
                facts.topology().prefer() == null ? null : job.waitingSince());
        return kinds.computeIfAbsent(alike, k -> kinds.size());
    }

    private Optional<Fitting> fitting(JobFacts facts) {
        var gang = new Gang(facts.groups());
        var options = Options.everFitting(fleet, facts, gang);
        return options.isEmpty() ? Optional.empty() : Optional.of(new Fitting(fittings.size(), gang, options));
    }

    private @Nullable BitSet excluded(Set<NodeId> nodes) {
        if (nodes.isEmpty()) {
            return null;
        }
        var bits = new BitSet();
        nodes.stream().mapToInt(fleet::number).filter(n -> n >= 0).forEach(bits::set);
        return bits.isEmpty() ? null : bits;
    }

    /**
     * The class's value, one whole class more once waiting has earned it. Steps short of a class do not count, so that
     * users of one class take turns whatever the age of their jobs.
     */
    static int priority(JobFacts facts, PolicySettings settings, Instant asOf) {
        if (settings.agingMost() <= 0 || settings.agingStep().isZero()) {
            return facts.priority();
        }
        var waited = Duration.between(facts.submittedAt(), asOf);
        long steps = waited.isNegative() ? 0 : waited.dividedBy(settings.agingStep());
        boolean earned = steps * settings.agingPerStep() >= settings.agingMost();
        return facts.priority() + (earned ? settings.agingMost() : 0);
    }

    /** Leaves a job out because it made the core throw. */
    public void setAside(JobId job, RuntimeException error) {
        setAside.add(new SetAside(job, error.getClass().getSimpleName() + ": " + error.getMessage()));
    }

    public ClusterSnapshot snapshot() {
        return snapshot;
    }

    public PolicySettings settings() {
        return snapshot.settings();
    }

    public Instant asOf() {
        return snapshot.asOf();
    }

    public Fleet fleet() {
        return fleet;
    }

    public TeamTree tree() {
        return tree;
    }

    public int userCount() {
        return users.size();
    }

    /** By id. */
    public List<Occupant> occupants() {
        return occupants;
    }

    /** By submit time, then id. */
    public List<Claimant> claimants() {
        return claimants;
    }

    /** How many numbers claimants have, those included who no longer wait. */
    public int claimantCount() {
        return first.claimants.size();
    }

    /** GPUs of the pool that were reclaimed outside guarantees within the policy's window. */
    public int reclaimedLately(int pool) {
        return reclaimedLately[pool];
    }

    public @Nullable Claimant claimant(JobId id) {
        return claimantById.get(id);
    }

    /** Waiting jobs that nothing in the whole fleet could ever hold, the oldest first. */
    public List<WaitingJob> neverFitting() {
        return neverFitting;
    }

    public List<SetAside> setAside() {
        return setAside;
    }
}
