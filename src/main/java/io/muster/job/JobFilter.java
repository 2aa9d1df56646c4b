package io.muster.job;

import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a list shows; null and empty: all. Text, labels and owners are the team's own affair: a filter by them must
 * come with {@code within}, the teams that the reader may look into, or the list would tell by what it leaves out.
 *
 * @param teams any of these teams
 * @param within teams that the reader may look into; null: every team
 * @param text part of the name, or the id
 */
public record JobFilter(
        @Nullable Set<TeamId> teams,
        @Nullable Set<TeamId> within,
        @Nullable UserId owner,
        Set<JobState> states,
        @Nullable String priority,
        @Nullable PoolId pool,
        @Nullable String text,
        Map<String, String> labels,
        boolean oldestFirst) {

    public JobFilter {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
    }
}
