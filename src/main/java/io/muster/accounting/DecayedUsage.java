package io.muster.accounting;

import io.muster.accounting.UsageBook.Change;
import io.muster.accounting.UsageBook.Entitlement;
import io.muster.database.SqlInstant;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Past use that fades: half of it counts after a half-life. Inner teams include the teams below them. */
@Component
public class DecayedUsage {
    private static final String WRITE = """
            insert into usage_decayed as u (team_id, pool, gpu_seconds, entitled_gpu_seconds, as_of)
            values (:team, :pool, :used, :entitled, :at)
            on conflict (team_id, pool) do update set
                gpu_seconds = u.gpu_seconds + excluded.gpu_seconds,
                entitled_gpu_seconds = u.entitled_gpu_seconds + excluded.entitled_gpu_seconds, as_of = excluded.as_of
            """;
    private static final String FADE = """
            update usage_decayed set gpu_seconds = gpu_seconds * :left, entitled_gpu_seconds = entitled_gpu_seconds * :left
            """;

    private final JdbcClient jdbc;
    private final NamedParameterJdbcTemplate batches;
    private final TeamDirectory teams;

    DecayedUsage(JdbcClient jdbc, NamedParameterJdbcTemplate batches, TeamDirectory teams) {
        this.jdbc = jdbc;
        this.batches = batches;
        this.teams = teams;
    }

    /** A team in a pool. */
    public record Place(TeamId team, PoolId pool) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::team).thenComparing(Place::pool);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** Faded use over faded entitlement; 1.0 means as entitled; a place without entitlement and use is absent. */
    public Map<Place, Double> ratios() {
        var ratios = new HashMap<Place, Double>();
        jdbc.sql("select team_id, pool, gpu_seconds / entitled_gpu_seconds as ratio from usage_decayed"
                        + " where entitled_gpu_seconds > 0")
                .query(row -> {
                    var place = new Place(
                            new TeamId(row.getObject("team_id", UUID.class)), new PoolId(row.getString("pool")));
                    ratios.put(place, Math.max(0, row.getDouble("ratio")));
                });
        return ratios;
    }

    void add(List<Change> changes, List<Entitlement> entitlements, Duration passed, Duration halfLife, Instant at) {
        double left = Math.pow(2, -(double) passed.toMillis() / Math.max(1, halfLife.toMillis()));
        batches.update(FADE, new MapSqlParameterSource("left", left));
        var sums = new TreeMap<Place, double[]>();
        Map<TeamId, Team> known = new HashMap<>();
        teams.all().forEach(team -> known.put(team.id(), team));
        for (Change change : changes) {
            for (Team team = known.get(change.team()); team != null; team = parent(team, known)) {
                sums.computeIfAbsent(new Place(team.id(), change.pool()), p -> new double[2])[0] += change.used();
            }
        }
        double seconds = passed.toMillis() / 1000.0;
        for (Entitlement e : entitlements) {
            sums.computeIfAbsent(new Place(e.team(), e.pool()), p -> new double[2])[1] += e.gpus() * seconds;
        }
        batches.batchUpdate(
                WRITE,
                sums.entrySet().stream()
                        .map(e -> new MapSqlParameterSource()
                                .addValue("team", e.getKey().team().value())
                                .addValue("pool", e.getKey().pool().value())
                                .addValue("used", e.getValue()[0])
                                .addValue("entitled", e.getValue()[1])
                                .addValue("at", SqlInstant.of(at)))
                        .toArray(SqlParameterSource[]::new));
    }

    private static @Nullable Team parent(Team team, Map<TeamId, Team> known) {
        return team.parent() == null ? null : known.get(team.parent());
    }
}
