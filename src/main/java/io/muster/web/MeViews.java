package io.muster.web;

import io.muster.security.Caller;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.view.MeView;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Shows a caller to themselves. */
@Component
class MeViews {
    private final People people;
    private final TeamDirectory teams;
    private final Clock clock;
    private final String cluster;
    private final double timeScale;

    MeViews(
            People people,
            TeamDirectory teams,
            Clock clock,
            @Value("${muster.cluster.type:virtual}") String cluster,
            @Value("${muster.virtual.time-scale:1}") double timeScale) {
        this.people = people;
        this.teams = teams;
        this.clock = clock;
        this.cluster = cluster;
        this.timeScale = cluster.equals("virtual") ? timeScale : 1;
    }

    MeView of(Caller caller) {
        Reader reader = caller.reader();
        return new MeView(
                reader.user().value().toString(),
                reader.username(),
                people.find(reader.user()).map(Person::displayName).orElse(reader.username()),
                reader.platformAdmin(),
                caller.mustChangePassword(),
                roles(reader),
                cluster,
                clock.instant(),
                timeScale);
    }

    /** By path. */
    private List<MeView.TeamRole> roles(Reader reader) {
        return teams.all().stream()
                .filter(team -> !team.archived() && reader.roles().containsKey(team.id()))
                .map(team -> role(team, reader))
                .toList();
    }

    private static MeView.TeamRole role(Team team, Reader reader) {
        return new MeView.TeamRole(
                team.id().value().toString(),
                team.path().value(),
                String.valueOf(reader.roles().get(team.id())));
    }
}
