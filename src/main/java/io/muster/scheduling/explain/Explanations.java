package io.muster.scheduling.explain;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.plan.Explained;
import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The explanation of every job that still waits after the plan, made when it is asked for. */
public final class Explanations implements Explained {
    private static final int MOST_BEFORE = 10;
    /** Places for which a start is estimated; further back it would say little. */
    private static final int MOST_ESTIMATED = 1_000;

    private final Draft draft;
    private final Gates gates;
    private final Blockers blockers;
    private final Map<JobId, Verdict> verdicts;
    private final Supplier<List<List<Claimant>>> orders;
    private final Map<Integer, Estimates> estimates = new HashMap<>();
    private @Nullable Map<JobId, Place> places;
    private @Nullable List<Explanation> all;

    /**
     * Where a job stands.
     *
     * @param claimant with the fewest replicas it can work with
     * @param before the first of those before it
     * @param gpusAhead what all those before it ask for
     */
    private record Place(Claimant claimant, int number, List<JobId> before, long gpusAhead) {}

    /**
     * Prepares to explain.
     *
     * @param before what was free when the turns began
     * @param orders who stands in the order of each pool
     */
    public Explanations(
            Draft draft,
            Gates gates,
            Map<JobId, Verdict> verdicts,
            Plane before,
            Supplier<List<List<Claimant>>> orders) {
        this.draft = draft;
        this.gates = gates;
        this.verdicts = verdicts;
        this.orders = orders;
        blockers = new Blockers(draft, gates, before);
    }

    @Override
    public synchronized Optional<Explanation> of(JobId job) {
        draft.problem().requireGood();
        var place = places().get(job);
        return place != null
                ? Optional.of(explanation(place))
                : outOfOrder().stream().filter(e -> e.job().equals(job)).findFirst();
    }

    @Override
    public synchronized List<Explanation> all() {
        if (all == null) {
            draft.problem().requireGood();
            var explanations = new ArrayList<Explanation>();
            places().values().forEach(place -> explanations.add(explanation(place)));
            explanations.addAll(outOfOrder());
            all = List.copyOf(explanations);
        }
        return all;
    }

    /** Of jobs that stand in no order. */
    private List<Explanation> outOfOrder() {
        var explanations = new ArrayList<Explanation>();
        for (var job : draft.problem().neverFitting()) {
            explanations.add(explanation(job.id(), gates.neverFits(job)));
        }
        for (var claimant : draft.problem().resting()) {
            var backoff = gates.backoff(claimant);
            if (backoff != null && !draft.isSettled(claimant)) {
                explanations.add(explanation(claimant.id(), backoff));
            }
        }
        for (var aside : draft.problem().setAside()) {
            explanations.add(explanation(aside.job(), new Reason.Held("set aside: " + aside.error())));
        }
        return explanations;
    }

    private Map<JobId, Place> places() {
        if (places == null) {
            places = new LinkedHashMap<>();
            orders.get().forEach(order -> addPlaces(order, places));
        }
        return places;
    }

    private void addPlaces(List<Claimant> order, Map<JobId, Place> found) {
        var ahead = new ArrayList<JobId>();
        List<JobId> shown = List.of();
        int number = 1;
        long gpusAhead = 0;
        for (var whole : order) {
            var claimant = draft.problem().smallest(whole); // what keeps the fewest replicas from starting
            if (draft.startedAt(claimant) != null || gates.isSetAside(claimant.id())) {
                continue;
            }
            found.put(claimant.id(), new Place(claimant, number++, shown, gpusAhead));
            gpusAhead += claimant.gpus();
            if (ahead.size() < MOST_BEFORE) {
                ahead.add(claimant.id());
                shown = List.copyOf(ahead);
            }
        }
    }

    /** Whatever explaining one job throws stays with that job. */
    private Explanation explanation(Place place) {
        try {
            return explanation(place, reasons(place));
        } catch (RuntimeException e) {
            var why = e.getClass().getSimpleName() + ": " + e.getMessage();
            return explanation(place.claimant.id(), new Reason.Held("set aside: " + why));
        }
    }

    private List<Reason> reasons(Place place) {
        var claimant = place.claimant;
        var closed = gates.closed(claimant);
        if (closed != null) {
            return List.of(closed);
        }
        var verdict = verdicts.get(claimant.id());
        if (verdict != null && verdict.promised() != null) {
            return List.of(verdict.promised());
        }
        var pool = draft.shares(claimant.pool()).pool();
        int gpusAhead = (int) Math.min(Integer.MAX_VALUE, place.gpusAhead);
        return blockers.of(claimant, new Reason.Order(pool, place.number, place.number - 1, gpusAhead, place.before));
    }

    private Explanation explanation(Place place, List<Reason> reasons) {
        var claimant = place.claimant;
        var verdict = verdicts.get(claimant.id());
        var reserved = verdict == null ? null : verdict.startAt();
        // Nobody knows when a pause ends.
        boolean paused =
                gates.closed(claimant) != null || claimant.options().stream().allMatch(p -> gates.isPaused(p.poolId()));
        boolean counted = place.number <= MOST_ESTIMATED && !paused;
        var likely =
                reserved != null || !counted ? reserved : estimates(claimant).likely(claimant, place.gpusAhead);
        var latest = counted ? estimates(claimant).latest(claimant, place.gpusAhead) : null;
        if (likely != null && latest != null && latest.isBefore(likely)) {
            latest = likely;
        }
        return new Explanation(
                claimant.id(), draft.problem().asOf(), reasons, place.number, place.before, likely, latest, List.of());
    }

    private Estimates estimates(Claimant claimant) {
        return estimates.computeIfAbsent(claimant.pool(), pool -> new Estimates(draft, pool));
    }

    private Explanation explanation(JobId job, Reason reason) {
        return new Explanation(job, draft.problem().asOf(), List.of(reason), 0, List.of(), null, null, List.of());
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
