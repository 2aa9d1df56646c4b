package io.muster.web;

import io.muster.model.TeamId;
import io.muster.tenancy.Person;
import io.muster.tenancy.TeamBook;
import io.muster.web.view.MeView;
import io.muster.web.view.UserView;
import java.util.Comparator;
import org.springframework.stereotype.Component;

/** Shows users and service accounts to those who administer them. */
@Component
class UserViews {
    private final TeamBook book;
    private final TeamGate gate;

    UserViews(TeamBook book, TeamGate gate) {
        this.book = book;
        this.gate = gate;
    }

    UserView of(Person person) {
        TeamId team = person.serviceOf();
        return new UserView(
                person.id().value().toString(),
                person.username(),
                person.displayName(),
                team == null ? "USER" : "SERVICE_ACCOUNT",
                person.platformAdmin(),
                person.disabled(),
                team == null ? null : gate.path(team),
                book.memberships(person.id()).stream()
                        .map(m -> new MeView.TeamRole(
                                m.team().value().toString(),
                                gate.path(m.team()),
                                m.role().name()))
                        .sorted(Comparator.comparing(MeView.TeamRole::path))
                        .toList());
    }
}
