package io.muster.cycle;

import io.muster.accounting.UsageBook;
import io.muster.database.SqlInstant;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.scheduling.plan.ShareRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The newest shares, written when they change, and their history by the minute. */
@Component
public class ShareBook {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String WRITE = """
            insert into share (team_id, pool, as_of, body) values (:team, :pool, :at, :body::jsonb)
            on conflict (team_id, pool) do update set as_of = excluded.as_of, body = excluded.body
            """;
    private static final String HISTORY = """
            insert into share_history (at, team_id, pool, deserved, entitlement, allocated, demand)
            values (:minute, :team, :pool, :deserved, :entitlement, :allocated, :demand) on conflict do nothing
            """;

    private final JdbcClient jdbc;
    private final NamedParameterJdbcTemplate batches;
    private Map<Key, ShareRow> written = Map.of();
    private @Nullable Instant lastMinute;

    ShareBook(JdbcClient jdbc, NamedParameterJdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    private record Key(TeamId team, PoolId pool) {}

    /** A share, and when it was last seen to change. */
    public record Share(ShareRow row, Instant asOf) {}

    /** The shares that the newest plan went by. */
    public List<Share> current() {
        return jdbc.sql("select team_id, pool, as_of, body from share order by pool, team_id")
                .query((row, n) -> new Share(
                        row(
                                new TeamId(row.getObject("team_id", UUID.class)),
                                new PoolId(row.getString("pool")),
                                JSON.readTree(row.getString("body"))),
                        SqlInstant.read(row, "as_of")))
                .list();
    }

    void forget() {
        written = Map.of();
    }

    /** Writes what changed, in the caller's transaction. */
    void write(List<ShareRow> rows, Instant asOf) {
        var present = new HashMap<Key, ShareRow>();
        rows.forEach(row -> present.put(new Key(row.team(), row.pool()), row));
        List<ShareRow> changed = rows.stream()
                .filter(row -> !row.equals(written.get(new Key(row.team(), row.pool()))))
                .toList();
        batches.batchUpdate(WRITE, params(changed, asOf));
        if (written.isEmpty() || !present.keySet().equals(written.keySet())) {
            removeOthers(present);
        }
        if (lastMinute == null || !asOf.isBefore(lastMinute.plus(MINUTE))) {
            batches.batchUpdate(HISTORY, params(rows, asOf));
            lastMinute = asOf.truncatedTo(ChronoUnit.MINUTES);
        }
        written = present;
    }

    private void removeOthers(Map<Key, ShareRow> present) {
        jdbc.sql("""
                        delete from share where not exists (
                            select from unnest(:teams::uuid[], :pools::text[]) as p (team_id, pool)
                            where p.team_id = share.team_id and p.pool = share.pool)
                        """)
                .param(
                        "teams",
                        present.keySet().stream().map(k -> k.team().value()).toArray(UUID[]::new))
                .param(
                        "pools",
                        present.keySet().stream().map(k -> k.pool().value()).toArray(String[]::new))
                .update();
    }

    /** Entitlements of the newest plan, for the books. */
    List<UsageBook.Entitlement> entitlements() {
        return written.values().stream()
                .map(row -> new UsageBook.Entitlement(row.team(), row.pool(), row.entitlement()))
                .toList();
    }

    private static SqlParameterSource[] params(List<ShareRow> rows, Instant asOf) {
        return rows.stream()
                .map(row -> new MapSqlParameterSource()
                        .addValue("team", row.team().value())
                        .addValue("pool", row.pool().value())
                        .addValue("at", SqlInstant.of(asOf))
                        .addValue("minute", SqlInstant.of(asOf.truncatedTo(ChronoUnit.MINUTES)))
                        .addValue("body", body(row))
                        .addValue("deserved", row.deserved())
                        .addValue("entitlement", row.entitlement())
                        .addValue("allocated", row.allocated())
                        .addValue("demand", row.demand()))
                .toArray(SqlParameterSource[]::new);
    }

    private static String body(ShareRow row) {
        ObjectNode n = JSON.createObjectNode();
        n.put("guaranteed", row.guaranteed());
        n.put("promised", row.promised());
        n.put("limit", row.limit());
        n.put("weight", row.weight());
        n.put("entitlement", row.entitlement());
        n.put("deserved", row.deserved());
        n.put("demand", row.demand());
        n.put("allocated", row.allocated());
        n.put("borrowed", row.borrowed());
        n.put("lent", row.lent());
        n.put("withheld", row.withheld());
        n.put("surplus", row.surplus());
        return JSON.writeValueAsString(n);
    }

    private static ShareRow row(TeamId team, PoolId pool, JsonNode n) {
        JsonNode limit = n.get("limit");
        return new ShareRow(
                team,
                pool,
                number(n, "guaranteed"),
                number(n, "promised"),
                limit == null || limit.isNull() ? null : limit.asInt(),
                number(n, "weight"),
                number(n, "entitlement"),
                number(n, "deserved"),
                number(n, "demand"),
                number(n, "allocated"),
                number(n, "borrowed"),
                number(n, "lent"),
                number(n, "withheld"),
                number(n, "surplus"));
    }

    private static int number(JsonNode n, String field) {
        return Objects.requireNonNull(n.get(field), field).asInt();
    }
}
