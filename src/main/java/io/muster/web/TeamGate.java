package io.muster.web;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Finds what a path names and checks that the reader may. Who has no part in a team is told that there is no such
 * thing; who has one, but too small a role, that it is not allowed.
 */
@Component
class TeamGate {
    private final TeamDirectory teams;
    private final People people;

    TeamGate(TeamDirectory teams, People people) {
        this.teams = teams;
        this.people = people;
    }

    Team team(String id) {
        try {
            return team(new TeamId(UUID.fromString(id)));
        } catch (IllegalArgumentException e) {
            throw Refusal.notFound("team");
        }
    }

    Team team(TeamId id) {
        return teams.find(id).orElseThrow(() -> Refusal.notFound("team"));
    }

    /** A team that a body names by its path. */
    Team team(String field, String path) {
        if (!TeamPath.isValid(path)) throw Refusal.invalid(field, "is no path of a team");
        return teams.find(new TeamPath(path))
                .orElseThrow(() -> Refusal.invalid(field, "There is no team " + path + "."));
    }

    Team inside(Reader reader, String id, Role needed) {
        Team team = team(id);
        need(reader, team.id(), needed);
        return team;
    }

    /** Only somebody of the team above (or a platform admin at the top) decides about a team as a whole. */
    Team above(Reader reader, String id) {
        Team team = team(id);
        if (!reader.may(team.id(), Role.VIEWER)) throw Refusal.notFound("team");
        TeamId parent = team.parent();
        boolean may = parent == null ? reader.platformAdmin() : reader.may(parent, Role.TEAM_ADMIN);
        if (!may) throw Refusal.notAllowed("Only an admin of the team above " + team.path() + " may do this.");
        return team;
    }

    static void need(Reader reader, TeamId team, Role needed) {
        if (!reader.may(team, Role.VIEWER)) throw Refusal.notFound("team");
        if (!reader.may(team, needed)) throw Refusal.notAllowed("This needs the role " + needed + " in the team.");
    }

    static void platformAdmin(Reader reader) {
        if (!reader.platformAdmin()) throw Refusal.notAllowed("Only platform admins may do this.");
    }

    Person person(String username) {
        return people.find(username).orElseThrow(() -> Refusal.notFound("user"));
    }

    String path(TeamId team) {
        return teams.find(team).map(t -> t.path().value()).orElse("");
    }

    String username(io.muster.model.UserId user) {
        return people.find(user).map(Person::username).orElse("");
    }
}
