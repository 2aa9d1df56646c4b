package io.muster.job;

import io.muster.model.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why something happened to a job.
 *
 * @param actor the person, or null: the system
 * @param why a stable word: submitted, planned, preempted, reclaimed, cancelled-by-user, walltime, replica-failed, ...
 * @param data numbers and ids that belong to it, values that JSON can carry
 */
public record Cause(@Nullable UserId actor, String why, Map<String, Object> data) {
    public Cause {
        data = Map.copyOf(data);
    }

    public static Cause system(String why) {
        return new Cause(null, why, Map.of());
    }

    public static Cause system(String why, Map<String, Object> data) {
        return new Cause(null, why, data);
    }

    public static Cause person(UserId actor, String why) {
        return new Cause(actor, why, Map.of());
    }
}
