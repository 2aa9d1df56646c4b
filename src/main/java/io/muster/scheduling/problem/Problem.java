package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SetAside;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A snapshot, made ready to compute with. */
public final class Problem {
    private final ClusterSnapshot snapshot;
    private final Reader reader;
    private final TeamTree tree;
    private final Occupants occupants;
    private final Roster roster;
    private final int[] goneFrom;
    private final List<WaitingJob> neverFitting = new ArrayList<>();
    private final List<SetAside> setAside = new ArrayList<>();
    private final int[] reclaimedLately;
    private final Problem first;
    private @Nullable List<Claimant> claimants;
    private @Nullable Memory memory;
    private long reading;
    /** Numbers of claimants of the first problem that do not wait any more. */
    private final BitSet gone = new BitSet();

    /** {@code known}: occupants as they were read before; those of the same jobs are taken over. */
    Problem(ClusterSnapshot snapshot, Reader reader, TeamTree tree, Roster roster, Occupants known) {
        this.snapshot = snapshot;
        this.reader = reader;
        this.tree = tree;
        this.roster = roster;
        goneFrom = new int[fleet().pools().size()];
        first = this;
        reclaimedLately = reclaimedLately();
        occupants = known.then(snapshot.running(), job -> {}, tree, reader);
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
        roster = first.roster;
        memory = first.memory;
        reading = first.reading;
        goneFrom = new int[fleet().pools().size()];
        reclaimedLately = reclaimedLately();
        neverFitting.addAll(first.neverFitting);
        setAside.addAll(aside);
        occupants = first.occupants.then(left.running(), this::goes, tree, reader);
        aside.forEach(a -> goes(a.job()));
    }

    private void goes(JobId job) {
        var claimant = roster.byId().get(job);
        if (claimant != null && !gone.get(claimant.number())) {
            gone.set(claimant.number());
            goneFrom[claimant.pool()] += isResting(claimant) ? 0 : 1;
        }
    }

    /** It is good as long as {@code owner} has read nothing else. */
    void goodWhile(Memory owner, long number) {
        memory = owner;
        reading = number;
    }

    /** @throws IllegalStateException when another snapshot was read since */
    public void requireGood() {
        if (memory != null && memory.readings() != reading) {
            throw new IllegalStateException("the core has read another snapshot since");
        }
    }

    /** The same problem in the world that decisions leave: some who waited run, some who ran leave. Numbers stay. */
    public Problem after(List<Decision> decisions) {
        var left = Aftermath.of(
                snapshot,
                decisions,
                id -> Objects.requireNonNull(roster.byId().get(id)).job());
        return new Problem(first, left, setAside);
    }

    /** Who holds GPUs, to go on from. */
    Occupants held() {
        return occupants;
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

    /** The claimant as it would be if it asked for something else; null when nothing could ever hold that. */
    public @Nullable Claimant changed(Claimant claimant, JobFacts facts) {
        var w = claimant.job();
        var job = new WaitingJob(facts, w.waitingSince(), w.backoff(), w.excludedNodes(), w.notBeside(), w.service());
        int priority = Aging.priority(job, Aging.order(job, tree), settings(), asOf());
        return reader.claimant(job, tree, claimant.number(), priority, asOf());
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
        return reader.claimant(job, tree, roster.count() + occupant.number(), facts.priority(), asOf());
    }

    public @Nullable Occupant occupant(JobId id) {
        return occupants.get(id);
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

    /** By user: the entry of the user's team in the tree. */
    public int[] leafOfUsers() {
        return reader.leafOfUsers();
    }

    /** By id. */
    public List<Occupant> occupants() {
        return occupants.all();
    }

    /** All who wait, those in backoff included, by submit time, then id. */
    public List<Claimant> claimants() {
        if (claimants == null) {
            claimants = sorted();
        }
        return claimants;
    }

    private List<Claimant> sorted() {
        var all = new ArrayList<Claimant>();
        for (int n = 0; n < roster.count(); n++) {
            var claimant = roster.get(n);
            if (claimant != null && !gone.get(n)) {
                all.add(claimant);
            }
        }
        all.sort(Claimant.OLDEST);
        return all;
    }

    /** Who waits out a backoff, by submit time, then id. */
    public List<Claimant> resting() {
        return claimants(roster.resting()).filter(c -> !gone.get(c.number())).toList();
    }

    private Stream<Claimant> claimants(BitSet numbers) {
        return numbers.stream().mapToObj(roster::get).filter(Objects::nonNull).sorted(Claimant.OLDEST);
    }

    private boolean isResting(Claimant claimant) {
        return roster.resting().get(claimant.number());
    }

    /** Who stood in the queues before anybody was {@link #gone}. */
    public Queues queues() {
        return roster.queues();
    }

    /** Numbers of those who stand in the queues, but wait no more. */
    public BitSet gone() {
        return gone;
    }

    /** True when somebody waits for GPUs of the pool and is in no backoff. */
    public boolean isWaitedFor(int pool) {
        return queues().count(pool) > goneFrom[pool];
    }

    /** GPUs of the pool, by user, that jobs in no backoff wait for. */
    public long[] wanted(int pool) {
        long[] wanted = new long[userCount()];
        for (int user = 0; user < wanted.length; user++) {
            wanted[user] = queues().wanted(pool, user);
        }
        claimants(gone).forEach(c -> {
            if (c.pool() == pool && !isResting(c)) {
                wanted[c.user()] -= c.gpus();
            }
        });
        return wanted;
    }

    /** GPUs of the pool that were reclaimed outside guarantees within the policy's window. */
    public int reclaimedLately(int pool) {
        return reclaimedLately[pool];
    }

    public @Nullable Claimant claimant(JobId id) {
        var claimant = roster.byId().get(id);
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
