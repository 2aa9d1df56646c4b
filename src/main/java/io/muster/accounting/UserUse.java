package io.muster.accounting;

import io.muster.accounting.DecayedUsage.Place;
import io.muster.database.SqlInstant;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What each user of a team used of a pool lately: half of it counts after a half-life. By whole days, from the day book. */
@Component
public class UserUse {
    /** What is older counts less than a five-hundredth. */
    private static final int HALF_LIVES = 9;

    private static final String FADED = """
            select team_id, principal_id, pool, sum(gpu_seconds * power(2.0::double precision,
                - greatest(0, extract(epoch from :now - (day + interval '12 hours') at time zone 'UTC')) / :half)) as used
            from usage_day where day >= (:from at time zone 'UTC')::date
            group by team_id, principal_id, pool having sum(gpu_seconds) > 0
            """;

    private final JdbcClient jdbc;

    UserUse(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Faded use over the mean of those who used anything there; 1.0 means as much as all; others are absent. */
    public Map<Place, Map<UserId, Double>> ratios(Instant now, Duration halfLife) {
        var used = new HashMap<Place, Map<UserId, Double>>();
        jdbc.sql(FADED)
                .param("now", SqlInstant.of(now))
                .param("from", SqlInstant.of(now.minus(halfLife.multipliedBy(HALF_LIVES))))
                .param("half", (double) Math.max(1, halfLife.toSeconds()))
                .query(row -> {
                    var place = new Place(
                            new TeamId(row.getObject("team_id", UUID.class)), new PoolId(row.getString("pool")));
                    used.computeIfAbsent(place, p -> new HashMap<>())
                            .put(new UserId(row.getObject("principal_id", UUID.class)), row.getDouble("used"));
                });
        used.values().forEach(UserUse::overMean);
        return used;
    }

    private static void overMean(Map<UserId, Double> used) {
        double mean = used.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        used.replaceAll((user, seconds) -> mean > 0 ? seconds / mean : 0);
    }
}
