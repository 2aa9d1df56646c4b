package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.TeamLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Jobs of one pool whose class may take from other teams: they come first, up to the cap of their class. */
public final class Privileged {
    private final List<Claimant> first = new ArrayList<>();
    private final Map<Integer, List<Claimant>> beyondCap = new HashMap<>();

    /**
     * Sorts out who comes first.
     *
     * @param jobs in their order
     * @param heldByClass GPUs of the pool that jobs of a class hold
     * @param over who has no turn
     */
    public Privileged(List<Claimant> jobs, ToIntFunction<String> heldByClass, PassedOver over) {
        var held = new HashMap<String, Integer>();
        for (var claimant : jobs) {
            var facts = claimant.facts();
            if (over.gone().get(claimant.number())) {
                continue;
            }
            int sum = held.computeIfAbsent(facts.priorityClass(), heldByClass::applyAsInt);
            if (facts.classCap() != null && sum + claimant.gpus() > facts.classCap()) {
                beyondCap
                        .computeIfAbsent(claimant.leaf(), leaf -> new ArrayList<>())
                        .add(claimant);
                continue;
            }
            held.put(facts.priorityClass(), sum + claimant.gpus());
            if (!over.settled().get(claimant.number())) {
                first.add(claimant);
            }
        }
    }

    List<Claimant> first() {
        return first;
    }

    /** What a privileged class asks for beyond its cap stands in line like everybody. */
    @Nullable TeamLine joining(int leaf, @Nullable TeamLine ordinary) {
        var joining = beyondCap.get(leaf);
        if (joining == null) {
            return ordinary;
        }
        var both = new TeamLine();
        if (ordinary != null) {
            ordinary.each(job -> both.add(job, 0));
        }
        joining.forEach(job -> both.add(job, 0));
        return both;
    }
}
