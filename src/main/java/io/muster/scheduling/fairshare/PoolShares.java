package io.muster.scheduling.fairshare;

import io.muster.model.PoolId;
import io.muster.scheduling.plan.ShareRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The shares of one pool, and what each team holds as the plan goes on. */
public final class PoolShares {
    private final TeamTree tree;
    private final PoolId pool;
    private final int capacity;
    private final Quotas quotas;
    private int[] demand;
    private final int[] guaranteed;
    private int[] withheld;
    private int[] withheldBeside;
    private final int[] entitlement;
    private final int[] deserved;
    private final int[] allocated;
    private final int[] firm;
    private int total;
    private long version;

    /**
     * Splits {@code capacity} GPUs.
     *
     * @param wanted GPUs that jobs of each leaf hold or wait for
     */
    public PoolShares(TeamTree tree, PoolId pool, int capacity, double usageStrength, int[] wanted) {
        this.tree = tree;
        this.pool = pool;
        this.capacity = Math.max(0, capacity);
        quotas = new Quotas(tree, pool, usageStrength);
        int n = tree.size();
        allocated = new int[n];
        firm = new int[n];
        guaranteed = new int[n];
        scaleGuarantees(TeamTree.NO_PARENT, this.capacity);
        demand = demands(wanted);
        withheld = withholding();
        withheldBeside = besides();
        deserved = new int[n];
        deserve(TeamTree.NO_PARENT, this.capacity);
        entitlement = new int[n];
        entitle(TeamTree.NO_PARENT, this.capacity);
    }

    /** Splits again, since teams want other amounts than before. */
    public void want(int[] wanted) {
        demand = demands(wanted);
        withheld = withholding();
        withheldBeside = besides();
        deserve(TeamTree.NO_PARENT, capacity);
        version++;
    }

    /** Sums up the tree, bounded by each limit. */
    private int[] demands(int[] wanted) {
        int[] sums = wanted.clone();
        for (int i = tree.size() - 1; i >= 0; i--) {
            // Entries that stand for own jobs come last, so children are always summed before their parent.
            long sum = sums[i];
            for (int child : tree.below(i)) {
                sum += sums[child];
            }
            sums[i] = (int) Math.min(sum, quotas.limit[i]);
        }
        return sums;
    }

    private void scaleGuarantees(int above, int available) {
        int[] below = tree.below(above);
        int[] scaled = Split.scale(available, pick(quotas.promised, below));
        for (int k = 0; k < below.length; k++) {
            guaranteed[below[k]] = scaled[k];
            scaleGuarantees(below[k], scaled[k]);
        }
    }

    /** Idle guarantee that is not lent; what a team below withholds is withheld from everybody outside too. */
    private int[] withholding() {
        int[] kept = new int[tree.size()];
        for (int i = tree.size() - 1; i >= 0; i--) {
            int used = Math.min(guaranteed[i], demand[i]);
            int lent = Math.min(quotas.lendable[i], guaranteed[i]);
            int below = 0;
            for (int child : tree.below(i)) {
                below += kept[child];
            }
            kept[i] = Math.max(Math.max(0, guaranteed[i] - lent - used), Math.min(below, guaranteed[i] - used));
        }
        return kept;
    }

    /** By entry: what teams beside its path to the top withhold. */
    private int[] besides() {
        int[] sums = new int[tree.size()];
        addBesides(TeamTree.NO_PARENT, 0, sums);
        return sums;
    }

    private void addBesides(int above, int sofar, int[] sums) {
        int level = 0;
        for (int child : tree.below(above)) {
            level += withheld[child];
        }
        for (int child : tree.below(above)) {
            sums[child] = sofar + level - withheld[child];
            addBesides(child, sums[child], sums);
        }
    }

    private void deserve(int above, int available) {
        int[] below = tree.below(above);
        int[] first = new int[below.length];
        int idle = 0;
        for (int k = 0; k < below.length; k++) {
            first[k] = Math.min(guaranteed[below[k]], demand[below[k]]);
            idle += withheld[below[k]];
        }
        first = Split.scale(available, first);
        int[] room = new int[below.length];
        for (int k = 0; k < below.length; k++) {
            room[k] = demand[below[k]] - first[k];
        }
        int surplus = Math.max(0, available - sum(first) - idle);
        int[] more = Split.water(surplus, pick(quotas.bentWeight, below), room);
        for (int k = 0; k < below.length; k++) {
            deserved[below[k]] = first[k] + more[k];
            deserve(below[k], deserved[below[k]]);
        }
    }

    private void entitle(int above, int available) {
        int[] below = tree.below(above);
        int[] first = new int[below.length];
        int[] room = new int[below.length];
        for (int k = 0; k < below.length; k++) {
            first[k] = Math.min(guaranteed[below[k]], quotas.limit[below[k]]);
        }
        first = Split.scale(available, first);
        for (int k = 0; k < below.length; k++) {
            room[k] = Math.min(quotas.limit[below[k]], capacity) - first[k];
        }
        int[] more = Split.water(Math.max(0, available - sum(first)), pick(quotas.weight, below), room);
        for (int k = 0; k < below.length; k++) {
            entitlement[below[k]] = first[k] + more[k];
            entitle(below[k], entitlement[below[k]]);
        }
    }

    private static int sum(int[] values) {
        return Arrays.stream(values).sum();
    }

    private static int[] pick(int[] from, int[] which) {
        return Arrays.stream(which).map(i -> from[i]).toArray();
    }

    private static long[] pick(long[] from, int[] which) {
        return Arrays.stream(which).mapToLong(i -> from[i]).toArray();
    }

    public TeamTree tree() {
        return tree;
    }

    public PoolId pool() {
        return pool;
    }

    public int capacity() {
        return capacity;
    }

    /** Counts {@code gpus} (negative: no longer) for the entry and all above it. */
    public void count(int leaf, int gpus, boolean preemptible) {
        total += gpus;
        version++;
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            allocated[i] += gpus;
            firm[i] += preemptible ? 0 : gpus;
        }
    }

    /** Changes with every count. */
    public long version() {
        return version;
    }

    public int total() {
        return total;
    }

    public int allocated(int entry) {
        return allocated[entry];
    }

    /** GPUs held by jobs that are not preemptible. */
    public int firm(int entry) {
        return firm[entry];
    }

    /** GPUs of its running and waiting jobs, at most its limit. */
    public int demand(int entry) {
        return demand[entry];
    }

    public int deserved(int entry) {
        return deserved[entry];
    }

    public int entitlement(int entry) {
        return entitlement[entry];
    }

    public int guaranteed(int entry) {
        return guaranteed[entry];
    }

    /** What jobs of the entry that cannot be preempted may hold: of an inner team, what it has not promised below. */
    public int firmBound(int leaf) {
        if (!tree.isOwn(leaf)) {
            return guaranteed[leaf];
        }
        int inner = tree.parent(leaf);
        int left = guaranteed[inner];
        for (int child : tree.below(inner)) {
            left -= guaranteed[child];
        }
        return Math.max(0, left);
    }

    public int limit(int entry) {
        return quotas.limit[entry];
    }

    public boolean hasLimit(int entry) {
        return quotas.limit[entry] != Quotas.NO_LIMIT;
    }

    public int withheld(int entry) {
        return withheld[entry];
    }

    /** What teams beside the entry's path to the top withhold. */
    int withheldBeside(int entry) {
        return withheldBeside[entry];
    }

    /** What is allocated by entry, as it changes. */
    public int[] live() {
        return allocated;
    }

    /** A copy of what is allocated, to play with. */
    public int[] allocations() {
        return allocated.clone();
    }

    /** One row per team, in tree order. */
    public List<ShareRow> rows() {
        var rows = new ArrayList<ShareRow>();
        for (int i = 0; i < tree.size(); i++) {
            if (!tree.isOwn(i)) {
                rows.add(row(i));
            }
        }
        return rows;
    }

    private ShareRow row(int i) {
        int borrowed = Math.max(0, allocated[i] - entitlement[i]);
        int unused = Math.max(0, entitlement[i] - allocated[i]);
        int unheld = Math.max(0, capacity - total);
        // Of its idle entitlement, what is not simply free on the machine is used by others.
        int lent = Math.max(0, unused - unheld);
        return new ShareRow(
                tree.team(i).id(),
                pool,
                guaranteed[i],
                quotas.promised[i],
                hasLimit(i) ? quotas.limit[i] : null,
                (int) quotas.weight[i],
                entitlement[i],
                deserved[i],
                demand[i],
                allocated[i],
                borrowed,
                lent,
                withheld[i],
                deserved[i] - Math.min(guaranteed[i], demand[i]));
    }
}
