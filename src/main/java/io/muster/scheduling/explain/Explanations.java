package io.muster.scheduling.explain;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the explanation of every job that still waits after the plan. */
public final class Explanations {
    private static final int MOST_BEFORE = 10;
    private static final Reason.Order OTHERS = new Reason.Order(new PoolId("others"), 0, 0, 0, List.of());
    /** Places for which a start is estimated; further back it would say little. */
    private static final int MOST_ESTIMATED = 1_000;

    private final Draft draft;
    private final Gates gates;
    private final Scene scene;
    private final Map<JobId, Verdict> verdicts;
    private final Plane before;
    private final Map<Key, OnMachine> machine = new HashMap<>();
    private final Map<Alike, List<Reason>> known = new HashMap<>();

    /** What decides why a job waits, but for those before it; the user counts only where users are capped. */
    private record Alike(
            int shape,
            int leaf,
            int user,
            boolean preemptible,
            @Nullable Instant patientSince) {}

    /** What decides how the machine stops a job. */
    private record Key(int shape, int partition, LevelWish wish) {}

    /**
     * Prepares to explain.
     *
     * @param before what was free when the turns began
     */
    public Explanations(Draft draft, Gates gates, Map<JobId, Verdict> verdicts, Plane before) {
        this.draft = draft;
        this.gates = gates;
        this.scene = new Scene(draft);
        this.verdicts = verdicts;
        this.before = before;
    }

    /** Explanations in order of place, pool by pool; then those out of order, by id. */
    public List<Explanation> all(List<List<Claimant>> ordersByPool) {
        var all = new ArrayList<Explanation>();
        ordersByPool.stream().filter(order -> !order.isEmpty()).forEach(order -> explainOrder(order, all));
        for (var job : draft.problem().neverFitting()) {
            var reason = gates.neverFits(job);
            all.add(explanation(job.id(), reason));
        }
        for (var claimant : draft.problem().claimants()) {
            var backoff = gates.backoff(claimant);
            if (backoff != null && !draft.isSettled(claimant)) {
                all.add(explanation(claimant.id(), backoff));
            }
        }
        for (var aside : draft.problem().setAside()) {
            all.add(explanation(aside.job(), new Reason.Held("set aside: " + aside.error())));
        }
        return all;
    }

    private void explainOrder(List<Claimant> order, List<Explanation> all) {
        var ahead = new ArrayList<JobId>();
        List<JobId> shown = List.of();
        int place = 1;
        long gpusAhead = 0;
        var estimates = new Estimates(draft, order.getFirst().pool());
        for (var whole : order) {
            var claimant = draft.problem().smallest(whole); // what keeps the fewest replicas from starting
            if (draft.startedAt(claimant) != null || gates.isSetAside(claimant.id())) {
                continue;
            }
            var pool = draft.shares(claimant.pool()).pool();
            var others = new Reason.Order(pool, place, place - 1, (int) Math.min(Integer.MAX_VALUE, gpusAhead), shown);
            var reasons = reasonsOrSetAside(claimant, others);
            if (reasons.isEmpty()) {
                continue;
            }
            all.add(explanation(claimant, reasons, place, shown, gpusAhead, estimates));
            if (ahead.size() < MOST_BEFORE) {
                ahead.add(claimant.id());
                shown = List.copyOf(ahead);
            }
            place++;
            gpusAhead += claimant.gpus();
        }
    }

    /** Whatever explaining one job throws stays with that job; it is told with those set aside. */
    private List<Reason> reasonsOrSetAside(Claimant claimant, Reason.Order others) {
        try {
            return reasons(claimant, others);
        } catch (RuntimeException e) {
            draft.problem().setAside(claimant.id(), e);
            return List.of();
        }
    }

    private Explanation explanation(
            Claimant claimant,
            List<Reason> reasons,
            int place,
            List<JobId> ahead,
            long gpusAhead,
            Estimates estimates) {
        var verdict = verdicts.get(claimant.id());
        var reserved = verdict == null ? null : verdict.startAt();
        // Nobody knows when a pause ends.
        boolean paused =
                gates.closed(claimant) != null || claimant.options().stream().allMatch(p -> gates.isPaused(p.poolId()));
        boolean counted = place <= MOST_ESTIMATED && !paused;
        var likely = reserved != null || !counted ? reserved : estimates.likely(claimant, gpusAhead);
        var latest = counted ? estimates.latest(claimant, gpusAhead) : null;
        if (likely != null && latest != null && latest.isBefore(likely)) {
            latest = likely;
        }
        return new Explanation(claimant.id(), draft.problem().asOf(), reasons, place, ahead, likely, latest, List.of());
    }

    private Explanation explanation(JobId job, Reason reason) {
        return new Explanation(job, draft.problem().asOf(), List.of(reason), 0, List.of(), null, null, List.of());
    }

    private List<Reason> reasons(Claimant claimant, Reason.Order others) {
        var closed = gates.closed(claimant);
        if (closed != null) {
            return List.of(closed);
        }
        var verdict = verdicts.get(claimant.id());
        if (verdict != null && verdict.promised() != null) {
            return List.of(verdict.promised());
        }
        var ownHead = draft.heads().remove(claimant); // its own reservation does not stand in its way
        try {
            var found = ownHead == null && claimant.kind() >= 0
                    ? known.computeIfAbsent(alike(claimant), k -> blockers(claimant, false))
                    : blockers(claimant, ownHead != null);
            return withOrder(found, others);
        } finally {
            if (ownHead != null) {
                draft.heads().add(ownHead);
            }
        }
    }

    private Alike alike(Claimant claimant) {
        boolean capped = draft.problem().tree().team(claimant.leaf()).userCap() != null;
        boolean patient = claimant.facts().topology().prefer() != null;
        return new Alike(
                claimant.shape(),
                claimant.leaf(),
                capped ? claimant.user() : -1,
                claimant.facts().preemptible(),
                patient ? claimant.job().waitingSince() : null);
    }

    /** Those before it may be a blocker among others; their number is each job's own. */
    private static List<Reason> withOrder(List<Reason> found, Reason.Order others) {
        int at = found.indexOf(OTHERS);
        if (at < 0 && others.jobsBefore() == 0 && !found.isEmpty()) {
            return found;
        }
        var reasons = found.toArray(new Reason[found.size() + (at < 0 ? 1 : 0)]);
        reasons[at < 0 ? found.size() : at] = others;
        return List.of(reasons);
    }

    /** What stops the job and all of its kind, the binding blocker first; {@link #OTHERS} stands for those before it. */
    private List<Reason> blockers(Claimant claimant, boolean head) {
        var reasons = new LinkedHashSet<Reason>();
        for (var partition : claimant.options()) {
            addReasons(claimant, partition, head, reasons);
        }
        return List.copyOf(reasons);
    }

    private void addReasons(Claimant claimant, Partition partition, boolean head, Set<Reason> reasons) {
        if (gates.isPaused(partition.poolId())) {
            reasons.add(gates.pausedPool(partition.poolId()));
        }
        var standing = draft.standing(claimant, partition.pool());
        if (standing.gate() != null) {
            reasons.add(standing.gate());
        }
        var wish = LevelWish.of(
                claimant.facts().topology(),
                partition,
                claimant.job().waitingSince(),
                draft.problem().asOf());
        if (wish == null) {
            return;
        }
        var key = new Key(claimant.shape(), partition.number(), wish);
        var onMachine = claimant.excluded() == null && !head
                ? machine.computeIfAbsent(key, k -> onMachine(claimant, partition, wish))
                : onMachine(claimant, partition, wish);
        if (onMachine.cameFirst && standing.gate() == null) {
            reasons.add(OTHERS);
        }
        addQuotaAndMachine(claimant, partition, standing, onMachine.reasons, reasons);
        var frozen = gates.frozen(claimant);
        if (standing.within() && standing.gate() == null && frozen != null) {
            reasons.add(frozen);
        }
    }

    /** A team beyond its share that may borrow is stopped by the machine; one that may not, by its share. */
    private void addQuotaAndMachine(
            Claimant claimant, Partition partition, Standing standing, List<Reason> onMachine, Set<Reason> reasons) {
        if (standing.within() || standing.gate() != null) {
            reasons.addAll(onMachine);
            return;
        }
        var shares = draft.shares(partition.pool());
        var quota = gates.quotaInUse(claimant, shares);
        if (!standing.mayStart(shares, claimant.facts(), claimant.leaf(), claimant.gpus())
                && Standing.lentToday(shares, claimant.leaf()) >= claimant.gpus()) {
            reasons.add(quota);
        }
        reasons.addAll(onMachine);
        reasons.add(quota);
    }

    /** {@code cameFirst}: it would have fitted into what was free when the turns began. */
    private record OnMachine(boolean cameFirst, List<Reason> reasons) {}

    private OnMachine onMachine(Claimant claimant, Partition partition, LevelWish wish) {
        var placer = draft.placer();
        if (placer.place(claimant.gang(), partition, wish, draft.room().strict(), claimant.excluded()) != null) {
            return new OnMachine(false, List.of());
        }
        // What is still there but kept for somebody was not taken by those who came first.
        boolean fitted =
                placer.place(claimant.gang(), partition, wish, draft.room().present(), claimant.excluded()) == null
                        && placer.place(claimant.gang(), partition, wish, before, claimant.excluded()) != null;
        var found = new MachineReasons(draft, scene, partition, claimant.gang(), wish, claimant.excluded()).find();
        return new OnMachine(fitted, found);
    }
}
