package io.muster.tenancy;

import io.muster.database.Followed;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Answers every read of tenancy from one state that follows the revision of its tables. */
@Component
class CachedTenancy implements TeamDirectory, People, TeamBook {
    private final Followed<TenancyState> state;

    CachedTenancy(JdbcClient jdbc) {
        var rows = new TenancyRows(jdbc);
        state = Followed.of(jdbc, rows::load, "tenancy_revision");
    }

    TenancyState state() {
        return state.get();
    }

    @Override
    public Optional<Team> find(TeamPath path) {
        return state().team(path);
    }

    @Override
    public Optional<Team> find(TeamId id) {
        return state().team(id);
    }

    @Override
    public List<Team> all() {
        return state().teams();
    }

    @Override
    public List<TeamQuota> quotas() {
        return state().quotas();
    }

    @Override
    public TeamDefaults defaults(TeamId team) {
        return state().defaults(team);
    }

    @Override
    public List<TeamVolume> volumes(TeamId team) {
        return state().volumes(team);
    }

    @Override
    public long revision() {
        return state.revision();
    }

    @Override
    public Optional<Person> find(UserId id) {
        return state().person(id);
    }

    @Override
    public Optional<Person> find(String username) {
        return state().person(username);
    }

    @Override
    public Optional<Reader> reader(UserId id) {
        TenancyState now = state();
        return now.person(id)
                .filter(p -> !p.disabled())
                .map(p -> new Reader(id, p.username(), p.platformAdmin(), now.roles(id)));
    }

    @Override
    public long version(TeamId team) {
        return state().version(team);
    }

    @Override
    public List<Quota> quotas(TeamId team) {
        return state().quotas(team).stream()
                .map(q -> new Quota(q.quota(), q.version()))
                .toList();
    }

    @Override
    public Optional<Quota> quota(TeamId team, PoolId pool) {
        return state().quota(team, pool).map(q -> new Quota(q.quota(), q.version()));
    }

    @Override
    public Settings settings(TeamId team) {
        var own = state().ownDefaults(team);
        return own == null ? new Settings(TeamDefaults.NONE, 0) : new Settings(own.defaults(), own.version());
    }

    @Override
    public List<Membership> members(TeamId team) {
        return state().members(team);
    }

    @Override
    public List<Membership> memberships(UserId user) {
        return state().memberships(user);
    }

    @Override
    public List<Person> people() {
        return state().people();
    }
}
