package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamBook;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamQuota;
import io.muster.web.view.TeamView;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Shows teams and their quotas. */
@Component
class TeamViews {
    private final TeamBook book;
    private final TeamDirectory teams;
    private final Fleet fleet;

    TeamViews(TeamBook book, TeamDirectory teams, Fleet fleet) {
        this.book = book;
        this.teams = teams;
        this.fleet = fleet;
    }

    TeamView of(Team team, Reader reader) {
        String path = team.path().value();
        TeamId parent = team.parent();
        var role = reader.roles().get(team.id());
        return new TeamView(
                team.id().value().toString(),
                parent == null ? null : parent.value().toString(),
                path.substring(path.lastIndexOf('/') + 1),
                path,
                team.displayName(),
                team.archived(),
                role == null ? null : role.name(),
                book.members(team.id()).size(),
                book.quotas(team.id()).stream().map(q -> of(q, null)).toList(),
                team.ordinal(),
                book.version(team.id()));
    }

    /** With a warning where the top promises more than the machines have. */
    TeamView.QuotaView withWarning(TeamBook.Quota quota) {
        return of(quota, warning(quota.quota().pool()));
    }

    private static TeamView.QuotaView of(TeamBook.Quota versioned, @Nullable String warning) {
        TeamQuota quota = versioned.quota();
        return new TeamView.QuotaView(
                quota.pool().value(),
                quota.guaranteed(),
                quota.limit(),
                quota.lendable(),
                quota.weight(),
                quota.shapes().stream()
                        .map(s -> new TeamView.ShapeView(s.count(), s.level(), s.gpus()))
                        .toList(),
                versioned.version(),
                warning);
    }

    private @Nullable String warning(PoolId pool) {
        int capacity = fleet.nodes().stream()
                .filter(n -> n.pool().equals(pool))
                .mapToInt(Node::capacity)
                .sum();
        long promised = teams.all().stream()
                .filter(t -> t.parent() == null && !t.archived())
                .flatMap(t -> book.quota(t.id(), pool).stream())
                .mapToLong(q -> q.quota().guaranteed())
                .sum();
        return promised <= capacity
                ? null
                : "The top teams are promised %d GPUs in %s, which has %d: guarantees are scaled down in proportion."
                        .formatted(promised, pool, capacity);
    }
}
