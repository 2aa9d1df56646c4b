package io.muster.scheduling.explain;

import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stops a job; equal jobs are stopped by the same, which is found out once. */
final class Blockers {
    private static final Reason.Order OTHERS = new Reason.Order(new PoolId("others"), 0, 0, 0, List.of());

    private final Draft draft;
    private final Gates gates;
    private final Scene scene;
    private final Plane before;
    private final Map<Key, OnMachine> machine = new HashMap<>();
    private final Map<Alike, List<Reason>> known = new HashMap<>();

    /** What decides why a job waits, but for those before it; the user counts only where users are capped. */
    private record Alike(
            int shape,
            int leaf,
            int user,
            boolean preemptible,
            @Nullable Instant patientUntil) {}

    /** What decides how the machine stops a job. */
    private record Key(int shape, int partition, LevelWish wish) {}

    /** {@code before}: what was free when the turns began. */
    Blockers(Draft draft, Gates gates, Plane before) {
        this.draft = draft;
        this.gates = gates;
        this.before = before;
        scene = new Scene(draft);
    }

    /** Every blocker, the binding one first; {@code others}: those before it, who may be a blocker among them. */
    List<Reason> of(Claimant claimant, Reason.Order others) {
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
        var patientUntil = claimant.job().patientUntil();
        return new Alike(
                claimant.shape(),
                claimant.leaf(),
                capped ? claimant.user() : -1,
                claimant.facts().preemptible(),
                patientUntil != null && draft.problem().asOf().isBefore(patientUntil) ? patientUntil : null);
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
