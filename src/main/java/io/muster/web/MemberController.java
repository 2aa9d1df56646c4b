package io.muster.web;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.tenancy.MemberEditor;
import io.muster.tenancy.Membership;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.TeamBook;
import io.muster.web.view.Page;
import io.muster.web.view.TeamView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Who has which role in a team. */
@RestController
@RequestMapping("/api/v1/teams/{id}/members")
class MemberController {
    private final TeamGate gate;
    private final TeamBook book;
    private final People people;
    private final MemberEditor editor;

    MemberController(TeamGate gate, TeamBook book, People people, MemberEditor editor) {
        this.gate = gate;
        this.book = book;
        this.people = people;
        this.editor = editor;
    }

    @GetMapping
    Page<TeamView.MemberView> list(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable Integer limit,
            Reader reader) {
        var team = gate.inside(reader, id, Role.VIEWER);
        List<TeamView.MemberView> members =
                book.members(team.id()).stream().flatMap(m -> view(m).stream()).toList();
        return NamedPages.of(members, TeamView.MemberView::username, cursor, limit);
    }

    @PutMapping("/{username}")
    TeamView.MemberView set(
            @PathVariable String id,
            @PathVariable String username,
            @RequestBody TeamView.MemberBody body,
            Reader reader) {
        var team = gate.inside(reader, id, Role.TEAM_ADMIN);
        var set = editor.set(reader.user(), team.id(), gate.person(username).id(), role(body.role()));
        return view(set).orElseThrow(() -> Refusal.notFound("member"));
    }

    @DeleteMapping("/{username}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable String id, @PathVariable String username, Reader reader) {
        var team = gate.inside(reader, id, Role.TEAM_ADMIN);
        editor.remove(reader.user(), team.id(), gate.person(username).id());
    }

    private Optional<TeamView.MemberView> view(Membership m) {
        return people.find(m.user()).map(p -> view(p, m));
    }

    private static TeamView.MemberView view(Person person, Membership m) {
        return new TeamView.MemberView(
                person.username(), person.displayName(), m.role().name(), m.source());
    }

    private static Role role(String name) {
        return Arrays.stream(Role.values())
                .filter(r -> r.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("role", "must be one of " + Arrays.toString(Role.values())));
    }
}
