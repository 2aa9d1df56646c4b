package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sets quotas per team and pool. Children never promise more than their parent has; what the top promises beyond the
 * machines is allowed, since machines come and go: the core scales guarantees down and says so.
 */
@Component
@Transactional
public class QuotaEditor {
    private static final int MOST_GPUS = 1_000_000;
    private static final int MOST_WEIGHT = 1_000_000;
    private static final int MOST_SHAPES = 20;

    private final Edits edits;

    QuotaEditor(Edits edits) {
        this.edits = edits;
    }

    /** @param seen the version that was read, 0: there was none, null: does not matter */
    public TeamBook.Quota set(@Nullable UserId by, TeamQuota quota, @Nullable Long seen) {
        TenancyState state = edits.begin();
        Team team = Edits.openTeam(state, quota.team());
        checkNumbers(quota);
        checkParent(state, team, quota);
        checkChildren(state, team, quota.pool(), quota.guaranteed());

        var key = new QuotaEntity.Key(quota.team().value(), quota.pool().value());
        var found = edits.find(QuotaEntity.class, key);
        Edits.unchanged(seen, found.map(q -> q.version).orElse(0L));
        Object before = found.map(QuotaEditor::shown).orElse(null);
        QuotaEntity row = found.orElseGet(() -> new QuotaEntity(key));
        row.set(quota);
        if (found.isEmpty()) edits.rows.persist(row);
        edits.done(by, "quota.change", subject(quota.team(), quota.pool()), before, shown(row));
        return new TeamBook.Quota(quota, row.version);
    }

    public void remove(@Nullable UserId by, TeamId id, PoolId pool, @Nullable Long seen) {
        TenancyState state = edits.begin();
        Team team = Edits.team(state, id);
        QuotaEntity row = edits.find(QuotaEntity.class, new QuotaEntity.Key(id.value(), pool.value()))
                .orElseThrow(() -> Refusal.notFound("quota"));
        Edits.unchanged(seen, row.version);
        checkChildren(state, team, pool, 0);
        Object before = shown(row);
        edits.rows.remove(row);
        edits.done(by, "quota.remove", subject(id, pool), before, null);
    }

    private static void checkNumbers(TeamQuota quota) {
        if (quota.guaranteed() < 0 || quota.guaranteed() > MOST_GPUS) {
            throw Refusal.invalid("guaranteed", "must be between 0 and " + MOST_GPUS);
        }
        Integer limit = quota.limit();
        if (limit != null && (limit < quota.guaranteed() || limit > MOST_GPUS)) {
            throw Refusal.invalid(
                    "limit", "must be at least the guarantee of " + quota.guaranteed() + " and at most " + MOST_GPUS);
        }
        Integer lendable = quota.lendable();
        if (lendable != null && (lendable < 0 || lendable > quota.guaranteed())) {
            throw Refusal.invalid("lendable", "must be between 0 and the guarantee of " + quota.guaranteed());
        }
        if (quota.weight() < 1 || quota.weight() > MOST_WEIGHT) {
            throw Refusal.invalid("weight", "must be between 1 and " + MOST_WEIGHT);
        }
        checkShapes(quota);
    }

    private static void checkShapes(TeamQuota quota) {
        if (quota.shapes().size() > MOST_SHAPES) {
            throw Refusal.invalid("shapes", "must be at most " + MOST_SHAPES);
        }
        for (int i = 0; i < quota.shapes().size(); i++) {
            QuotaShape shape = quota.shapes().get(i);
            if (shape.count() < 1 || shape.count() > MOST_GPUS) {
                throw Refusal.invalid("shapes[" + i + "].count", "must be between 1 and " + MOST_GPUS);
            }
            if (shape.gpus() < 1 || shape.gpus() > MOST_GPUS) {
                throw Refusal.invalid("shapes[" + i + "].gpus", "must be between 1 and " + MOST_GPUS);
            }
        }
        long total = quota.shapes().stream().mapToLong(QuotaShape::total).sum();
        if (total > quota.guaranteed()) {
            throw Refusal.invalid(
                    "shapes", "come to %d GPUs, more than the guarantee of %d".formatted(total, quota.guaranteed()));
        }
    }

    private static void checkParent(TenancyState state, Team team, TeamQuota quota) {
        TeamId parentId = team.parent();
        if (parentId == null) return;
        Team parent = Edits.team(state, parentId);
        int has = guaranteed(state, parentId, quota.pool());
        List<Team> others = state.children(parentId).stream()
                .filter(t -> !t.archived() && !t.id().equals(team.id()))
                .toList();
        long promised = sum(state, others, quota.pool());
        if (promised + quota.guaranteed() > has) {
            throw Refusal.overPromised(
                    "guaranteed",
                    "%s has %d GPUs guaranteed in %s; its teams would be promised %d: %d here%s. At most %d are left."
                            .formatted(
                                    parent.path(),
                                    has,
                                    quota.pool(),
                                    promised + quota.guaranteed(),
                                    quota.guaranteed(),
                                    named(state, others, quota.pool()),
                                    Math.max(0, has - promised)));
        }
    }

    private static void checkChildren(TenancyState state, Team team, PoolId pool, int guaranteed) {
        List<Team> children =
                state.children(team.id()).stream().filter(t -> !t.archived()).toList();
        long promised = sum(state, children, pool);
        if (promised > guaranteed) {
            throw Refusal.overPromised(
                    "guaranteed",
                    "The teams below %s are promised %d GPUs in %s%s: it cannot have %d."
                            .formatted(team.path(), promised, pool, named(state, children, pool), guaranteed));
        }
    }

    private static long sum(TenancyState state, List<Team> teams, PoolId pool) {
        return teams.stream().mapToLong(t -> guaranteed(state, t.id(), pool)).sum();
    }

    private static String named(TenancyState state, List<Team> teams, PoolId pool) {
        return teams.stream()
                .filter(t -> guaranteed(state, t.id(), pool) > 0)
                .map(t -> guaranteed(state, t.id(), pool) + " to " + t.path())
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), text -> text.isEmpty() ? "" : " (" + text + ")"));
    }

    private static int guaranteed(TenancyState state, TeamId team, PoolId pool) {
        return state.quota(team, pool).map(q -> q.quota().guaranteed()).orElse(0);
    }

    private static Map<String, Object> shown(QuotaEntity row) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("guaranteed", row.guaranteed);
        if (row.limit != null) shown.put("limit", row.limit);
        if (row.lendable != null) shown.put("lendable", row.lendable);
        shown.put("weight", row.weight);
        if (!row.shapes.equals(ShapesText.NONE)) shown.put("shapes", ShapesText.shown(row.shapes));
        return shown;
    }

    private static String subject(TeamId team, PoolId pool) {
        return "quota:" + team + "/" + pool;
    }
}
