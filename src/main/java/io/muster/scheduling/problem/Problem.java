package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.plan.SetAside;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A snapshot, made ready to compute with. */
public final class Problem {
    private static final Comparator<RunningJob> BY_ID = (a, b) -> Long.compare(a.id().value(), b.id().value());

    private final ClusterSnapshot snapshot;
    private final Reader reader;
    private final TeamTree tree;
    private final List<Occupant> occupants;
    private final Map<JobId, Occupant> occupantById;
    private final List<Claimant> claimants = new ArrayList<>();
    private final List<WaitingJob> neverFitting = new ArrayList<>();
    private final List<SetAside> setAside = new ArrayList<>();
    private final int[] reclaimedLately;
    private final Problem first;
    private Map<JobId, Claimant> claimantById = Map.of();
    private int claimantCount;
    /** Numbers of claimants of the first problem that do not wait any more. */
    private final BitSet gone = new BitSet();

    /** {@code known}: occupants as they were read before; those of the same jobs are taken over. */
    Problem(ClusterSnapshot snapshot, Reader reader, TeamTree tree, Map<JobId, Occupant> known) {
        this.snapshot = snapshot;
        this.reader = reader;
        this.tree = tree;
        first = this;
        reclaimedLately = reclaimedLately();
        occupants = new ArrayList<>(snapshot.running().size());
        occupantById = HashMap.newHashMap(snapshot.running().size());
        occupy(known);
    }

    /** Reads {@code snapshot} with nothing remembered. */
    public static Problem of(ClusterSnapshot snapshot) {
        return new Memory().read(snapshot);
    }

    private Problem(Problem first, ClusterSnapshot left, List<SetAside> aside) {
        this.first = first;
        snapshot = left;
        reader = first.reader;
        tree = first.tree;
        claimantById = first.claimantById;
        claimantCount = first.claimantCount;
        reclaimedLately = reclaimedLately();
        neverFitting.addAll(first.neverFitting);
        setAside.addAll(aside);
        occupants = new ArrayList<>(left.running().size());
        occupantById = HashMap.newHashMap(left.running().size());
        occupy(first.occupantById);
        aside.forEach(a -> goes(a.job()));
        left.running().forEach(r -> goes(r.id()));
        for (var claimant : first.claimants) {
            if (!gone.get(claimant.number())) {
                claimants.add(claimant);
            }
        }
    }

    private void goes(JobId job) {
        var claimant = claimantById.get(job);
        if (claimant != null) {
            gone.set(claimant.number());
        }
    }

    /** Who waits, by submit time, then id; {@code count}: how many numbers they have. */
    void wait(List<Claimant> all, Map<JobId, Claimant> byId, int count) {
        claimants.addAll(all);
        claimantById = byId;
        claimantCount = count;
    }

    /** The same problem in the world that decisions left: some who waited run, some who ran leave. Numbers stay. */
    public Problem after(ClusterSnapshot left) {
        return new Problem(first, left, setAside);
    }

    /** As the plan began. */
    public Problem first() {
        return first;
    }

    private int[] reclaimedLately() {
        var amounts = new int[fleet().pools().size()];
        snapshot.pools().forEach(p -> amounts[fleet().poolNumber(p.id())] = p.reclaimedLately());
        return amounts;
    }

    private void occupy(Map<JobId, Occupant> known) {
        var running = new ArrayList<>(snapshot.running());
        running.sort(BY_ID);
        for (var job : running) {
            var occupant = occupant(job, known.get(job.id()));
            occupants.add(occupant);
            occupantById.put(job.id(), occupant);
        }
    }

    private Occupant occupant(RunningJob job, @Nullable Occupant known) {
        int number = occupants.size();
        int leaf = tree.leaf(job.facts().team());
        if (known != null && known.job() == job && known.number() == number && known.leaf() == leaf) {
            return known;
        }
        boolean samePlace = known != null
                && known.job().placements().equals(job.placements())
                && known.job().pool().equals(job.pool());
        var spots = known != null && samePlace ? known.spots() : Occupant.spots(job.placements(), fleet());
        int user = leaf < 0 ? -1 : reader.user(job.facts());
        return new Occupant(number, job, leaf, user, fleet().poolNumber(job.pool()), spots, job.gpusHeld());
    }

    Map<JobId, Occupant> occupantsById() {
        return occupantById;
    }

    /** The claimant as it would be if it asked for something else; null when nothing could ever hold that. */
    public @Nullable Claimant changed(Claimant claimant, JobFacts facts) {
        var w = claimant.job();
        var job = new WaitingJob(facts, w.waitingSince(), w.backoff(), w.excludedNodes(), w.notBeside(), w.service());
        int priority = Aging.priority(job, Aging.order(job, tree), settings(), asOf());
        return reader.claimant(job, tree, claimant.number(), priority);
    }

    /** The elastic claimant with {@code more} replicas than its fewest; what it wants stays the whole. */
    public Claimant sized(Claimant whole, int more) {
        return reader.sized(whole, Sizes.of(whole.facts().groups(), more));
    }

    /** The claimant with as many replicas as {@code placements} has; null when that is no size of it. */
    public @Nullable Claimant sizedAs(Claimant whole, List<ReplicaPlacement> placements) {
        if (!whole.isElastic()) {
            return whole;
        }
        var counts = Sizes.among(whole.facts().groups(), placements);
        return counts == null ? null : reader.sized(whole, counts);
    }

    /** The claimant with the fewest replicas it can work with. */
    public Claimant smallest(Claimant whole) {
        return whole.isElastic() ? sized(whole, 0) : whole;
    }

    /**
     * A running job as it claims GPUs for its next attempt; null when its team is archived or nothing could hold it. Its
     * number is beyond those of all that wait.
     */
    public @Nullable Claimant returning(Occupant occupant) {
        if (occupant.leaf() < 0) {
            return null;
        }
        var facts = occupant.facts();
        var job = new WaitingJob(facts, occupant.since(), null, occupant.job().excludedNodes(), Set.of());
        return reader.claimant(job, tree, claimantCount + occupant.number(), facts.priority());
    }

    public @Nullable Occupant occupant(JobId id) {
        return occupantById.get(id);
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
        return reader.fleet();
    }

    public TeamTree tree() {
        return tree;
    }

    public int userCount() {
        return reader.userCount();
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
        return claimantCount;
    }

    /** GPUs of the pool that were reclaimed outside guarantees within the policy's window. */
    public int reclaimedLately(int pool) {
        return reclaimedLately[pool];
    }

    public @Nullable Claimant claimant(JobId id) {
        var claimant = claimantById.get(id);
        return claimant == null || gone.get(claimant.number()) ? null : claimant;
    }

    /** Waiting jobs that nothing in the whole fleet could ever hold, the oldest first. */
    public List<WaitingJob> neverFitting() {
        return neverFitting;
    }

    public List<SetAside> setAside() {
        return setAside;
    }
}
