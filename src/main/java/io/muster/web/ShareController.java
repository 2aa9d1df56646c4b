package io.muster.web;

import io.muster.cycle.ShareBook;
import io.muster.cycle.ShareHistory;
import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.scheduling.plan.ShareRow;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamBook;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamQuota;
import io.muster.web.view.ShareView;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Who deserves, holds, borrows and lends what, with the numbers that gave it. Everybody may check. */
@RestController
@RequestMapping("/api/v1/shares")
class ShareController {
    private static final int POINTS = 240;
    private static final Duration USUAL = Duration.ofHours(6);

    private final ShareBook shares;
    private final ShareHistory history;
    private final TeamDirectory teams;
    private final TeamBook quotas;
    private final Fleet fleet;
    private final Clock clock;
    private final JdbcClient jdbc;

    ShareController(
            ShareBook shares,
            ShareHistory history,
            TeamDirectory teams,
            TeamBook quotas,
            Fleet fleet,
            Clock clock,
            JdbcClient jdbc) {
        this.shares = shares;
        this.history = history;
        this.teams = teams;
        this.quotas = quotas;
        this.fleet = fleet;
        this.clock = clock;
        this.jdbc = jdbc;
    }

    private record Key(TeamId team, PoolId pool) {}

    @GetMapping
    List<ShareView> now(
            @RequestParam(required = false) @Nullable String pool,
            @RequestParam(required = false) @Nullable String team,
            Reader reader) {
        Map<Key, Double> usage = usage();
        return shares.current().stream()
                .filter(s ->
                        pool == null || pool.isEmpty() || s.row().pool().value().equals(pool))
                .flatMap(s -> view(s, usage).stream())
                .filter(v -> team == null
                        || team.isEmpty()
                        || v.team().equals(team)
                        || v.team().startsWith(team + "/"))
                .sorted(Comparator.comparing(ShareView::pool).thenComparing(ShareView::team))
                .toList();
    }

    @GetMapping("/history")
    List<ShareView> history(
            @RequestParam String pool,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            Reader reader) {
        Instant until = instant("to", to, clock.instant());
        Instant since = instant("from", from, until.minus(USUAL));
        PoolId id = fleet.pool(new PoolId(pool))
                .orElseThrow(() -> Refusal.invalid("pool", "There is no pool " + pool + "."))
                .id();
        int capacity = capacity(id);
        return history.of(id, since, until, POINTS).stream()
                .flatMap(p -> teams.find(p.team()).map(t -> view(p, t, capacity)).stream())
                .toList();
    }

    private Optional<ShareView> view(ShareBook.Share share, Map<Key, Double> usage) {
        ShareRow r = share.row();
        return teams.find(r.team())
                .map(team -> new ShareView(
                        team.path().value(),
                        parent(team),
                        r.pool().value(),
                        share.asOf(),
                        capacity(r.pool()),
                        r.guaranteed(),
                        r.promised(),
                        r.limit(),
                        r.weight(),
                        r.entitlement(),
                        r.deserved(),
                        r.demand(),
                        r.allocated(),
                        r.borrowed(),
                        r.lent(),
                        r.withheld(),
                        r.surplus(),
                        usage.getOrDefault(new Key(r.team(), r.pool()), 0.0)));
    }

    /** What was promised then is not kept by the minute: the quota of now stands in for it. */
    private ShareView view(ShareHistory.Point p, Team team, int capacity) {
        Optional<TeamQuota> quota = quotas.quota(team.id(), p.pool()).map(TeamBook.Quota::quota);
        int guaranteed = quota.map(TeamQuota::guaranteed).orElse(0);
        return new ShareView(
                team.path().value(),
                parent(team),
                p.pool().value(),
                p.at(),
                capacity,
                guaranteed,
                guaranteed,
                quota.map(TeamQuota::limit).orElse(null),
                quota.map(TeamQuota::weight).orElse(1),
                p.entitlement(),
                p.deserved(),
                p.demand(),
                p.allocated(),
                Math.max(0, p.allocated() - p.entitlement()),
                0,
                0,
                Math.max(0, p.deserved() - Math.min(guaranteed, p.demand())),
                0);
    }

    private @Nullable String parent(Team team) {
        TeamId parent = team.parent();
        return parent == null
                ? null
                : teams.find(parent).map(t -> t.path().value()).orElse(null);
    }

    private int capacity(PoolId pool) {
        return fleet.nodes().stream()
                .filter(n -> n.pool().equals(pool))
                .mapToInt((Node n) -> n.allocatable().gpus())
                .sum();
    }

    /** Decayed use over what the team was entitled to in the same time. */
    private Map<Key, Double> usage() {
        return jdbc
                .sql("select team_id, pool, gpu_seconds / greatest(entitled_gpu_seconds, 1) as usage"
                        + " from usage_decayed")
                .query((row, n) -> Map.entry(
                        new Key(new TeamId(row.getObject("team_id", UUID.class)), new PoolId(row.getString("pool"))),
                        row.getDouble("usage")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Instant instant(String field, @Nullable String text, Instant otherwise) {
        if (text == null || text.isBlank()) return otherwise;
        try {
            OffsetDateTime at = OffsetDateTime.parse(text);
            if (at.getYear() >= 1970 && at.getYear() <= 9999) return at.toInstant();
        } catch (DateTimeParseException e) {
            // Told below.
        }
        throw Refusal.invalid(field, "must be an instant such as 2026-01-31T12:00:00Z");
    }
}
