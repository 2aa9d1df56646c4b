package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything that tenancy reads answer from, at one revision. */
final class TenancyState {
    record VersionedTeam(Team team, long version) {}

    record VersionedQuota(TeamQuota quota, long version) {}

    record VersionedDefaults(TeamId team, TeamDefaults defaults, long version) {}

    private final List<Team> teams;
    private final Map<TeamId, VersionedTeam> byId;
    private final Map<TeamPath, Team> byPath;
    private final Map<TeamId, List<Team>> children;
    private final List<TeamQuota> quotas;
    private final Map<TeamId, Map<PoolId, VersionedQuota>> quotaOf;
    private final Map<TeamId, VersionedDefaults> own;
    private final Map<TeamId, List<TeamVolume>> volumes;
    private final Map<UserId, Person> people;
    private final Map<String, Person> byUsername;
    private final Map<UserId, List<Membership>> memberships;
    private final Map<TeamId, List<Membership>> members;
    private final Map<TeamId, TeamDefaults> effective = new HashMap<>();

    TenancyState(
            List<VersionedTeam> teams,
            List<VersionedQuota> quotas,
            List<VersionedDefaults> defaults,
            List<TeamVolume> volumes,
            List<Person> people,
            List<Membership> memberships) {
        this.teams = teams.stream().map(VersionedTeam::team).toList();
        byId = teams.stream().collect(Collectors.toMap(t -> t.team().id(), Function.identity()));
        byPath = this.teams.stream().collect(Collectors.toMap(Team::path, Function.identity()));
        children = this.teams.stream()
                .filter(t -> t.parent() != null)
                .collect(Collectors.groupingBy(TenancyState::parentOf));
        this.quotas = quotas.stream().map(VersionedQuota::quota).toList();
        quotaOf = quotas.stream()
                .collect(Collectors.groupingBy(
                        q -> q.quota().team(), Collectors.toMap(q -> q.quota().pool(), Function.identity())));
        own = defaults.stream().collect(Collectors.toMap(VersionedDefaults::team, Function.identity()));
        this.volumes = volumes.stream().collect(Collectors.groupingBy(TeamVolume::team));
        this.people = people.stream().collect(Collectors.toMap(Person::id, Function.identity()));
        byUsername = people.stream().collect(Collectors.toMap(Person::username, Function.identity()));
        this.memberships = memberships.stream().collect(Collectors.groupingBy(Membership::user));
        members = memberships.stream().collect(Collectors.groupingBy(Membership::team));
        this.teams.forEach(t -> effective.put(t.id(), inherited(t)));
    }

    private static TeamId parentOf(Team team) {
        TeamId parent = team.parent();
        if (parent == null) throw new IllegalArgumentException("a top team has no parent: " + team.path());
        return parent;
    }

    List<Team> teams() {
        return teams;
    }

    Optional<Team> team(TeamId id) {
        return Optional.ofNullable(byId.get(id)).map(VersionedTeam::team);
    }

    Optional<Team> team(TeamPath path) {
        return Optional.ofNullable(byPath.get(path));
    }

    long version(TeamId id) {
        VersionedTeam team = byId.get(id);
        return team == null ? 0 : team.version();
    }

    List<Team> children(TeamId id) {
        return children.getOrDefault(id, List.of());
    }

    List<TeamQuota> quotas() {
        return quotas;
    }

    Optional<VersionedQuota> quota(TeamId team, PoolId pool) {
        return Optional.ofNullable(quotaOf.getOrDefault(team, Map.of()).get(pool));
    }

    List<VersionedQuota> quotas(TeamId team) {
        return quotaOf.getOrDefault(team, Map.of()).values().stream()
                .sorted(java.util.Comparator.comparing(q -> q.quota().pool()))
                .toList();
    }

    TeamDefaults defaults(TeamId team) {
        return effective.getOrDefault(team, TeamDefaults.NONE);
    }

    @Nullable VersionedDefaults ownDefaults(TeamId team) {
        return own.get(team);
    }

    List<TeamVolume> volumes(TeamId team) {
        var found = new LinkedHashMap<String, TeamVolume>();
        for (Team at : upwards(team)) {
            volumes.getOrDefault(at.id(), List.of()).forEach(v -> found.putIfAbsent(v.name(), v));
        }
        return found.values().stream()
                .sorted(java.util.Comparator.comparing(TeamVolume::name))
                .toList();
    }

    Optional<Person> person(UserId id) {
        return Optional.ofNullable(people.get(id));
    }

    Optional<Person> person(String username) {
        return Optional.ofNullable(byUsername.get(username));
    }

    List<Person> people() {
        return people.values().stream()
                .sorted(java.util.Comparator.comparing(Person::username))
                .toList();
    }

    List<Membership> members(TeamId team) {
        return members.getOrDefault(team, List.of());
    }

    List<Membership> memberships(UserId user) {
        return memberships.getOrDefault(user, List.of());
    }

    /** Roles reach down the tree: the highest of all memberships at or above a team counts there. */
    Map<TeamId, Role> roles(UserId user) {
        var roles = new HashMap<TeamId, Role>();
        memberships(user).forEach(m -> spread(m.team(), m.role(), roles));
        return roles;
    }

    private void spread(TeamId team, Role role, Map<TeamId, Role> roles) {
        roles.merge(team, role, (a, b) -> a.atLeast(b) ? a : b);
        children(team).forEach(child -> spread(child.id(), role, roles));
    }

    /** The team and those above it, nearest first; the depth of paths bounds it. */
    List<Team> upwards(TeamId team) {
        var line = new ArrayList<Team>();
        VersionedTeam at = byId.get(team);
        while (at != null) {
            line.add(at.team());
            TeamId parent = at.team().parent();
            at = parent == null ? null : byId.get(parent);
        }
        return line;
    }

    private TeamDefaults inherited(Team team) {
        TeamDefaults all = TeamDefaults.NONE;
        for (Team at : upwards(team.id())) {
            VersionedDefaults set = own.get(at.id());
            all = set == null ? all : orElse(all, set.defaults());
        }
        return all;
    }

    private static TeamDefaults orElse(TeamDefaults near, TeamDefaults far) {
        return new TeamDefaults(
                first(near.cpuMillisPerGpu(), far.cpuMillisPerGpu()),
                first(near.memoryBytesPerGpu(), far.memoryBytesPerGpu()),
                first(near.sharedMemoryBytes(), far.sharedMemoryBytes()),
                first(near.walltime(), far.walltime()),
                first(near.maxWalltime(), far.maxWalltime()),
                near.imageAllowlist().isEmpty() ? far.imageAllowlist() : near.imageAllowlist(),
                first(near.userGpuCap(), far.userGpuCap()),
                first(near.userQueueCap(), far.userQueueCap()),
                first(near.order(), far.order()));
    }

    private static <T> @Nullable T first(@Nullable T near, @Nullable T far) {
        return near != null ? near : far;
    }
}
