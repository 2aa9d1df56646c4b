package io.muster.scheduling.plan;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import java.util.List;
import java.util.Optional;

/** Why those who wait do so, worked out when somebody asks: good until the same core plans again. */
public interface Explained {
    /** Why {@code job} waits; empty when it does not. */
    Optional<Explanation> of(JobId job);

    /** Everybody's: in order of place, pool by pool; then of those who stand in no order. */
    List<Explanation> all();

    /** What was worked out before. */
    static Explained of(List<Explanation> explanations) {
        return new Written(List.copyOf(explanations));
    }

    /** Explanations that are there. */
    record Written(List<Explanation> all) implements Explained {
        @Override
        public Optional<Explanation> of(JobId job) {
            return all.stream().filter(e -> e.job().equals(job)).findFirst();
        }

        @Override
        public String toString() {
            return all.toString();
        }
    }
}
