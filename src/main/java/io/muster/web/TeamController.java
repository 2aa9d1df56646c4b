package io.muster.web;

import io.muster.model.Role;
import io.muster.model.TeamPath;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamBook;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TeamEditor;
import io.muster.web.problem.ETags;
import io.muster.web.view.TeamView;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The tree of teams. That a team is there, everybody may know: fairness must be checkable. */
@RestController
@RequestMapping("/api/v1/teams")
class TeamController {
    private final TeamGate gate;
    private final TeamDirectory teams;
    private final TeamBook book;
    private final TeamEditor editor;
    private final TeamViews views;

    TeamController(TeamGate gate, TeamDirectory teams, TeamBook book, TeamEditor editor, TeamViews views) {
        this.gate = gate;
        this.teams = teams;
        this.book = book;
        this.editor = editor;
        this.views = views;
    }

    @GetMapping
    List<TeamView> list(@RequestParam(required = false) @Nullable String path, Reader reader) {
        var found = path == null || path.isEmpty()
                ? teams.all()
                : TeamPath.isValid(path)
                        ? teams.find(new TeamPath(path)).stream().toList()
                        : List.<Team>of();
        return found.stream().map(team -> views.of(team, reader)).toList();
    }

    @PostMapping
    ResponseEntity<TeamView> create(@RequestBody TeamView.CreateTeam body, Reader reader) {
        String under = body.parent();
        Team parent = under == null || under.isEmpty() ? null : gate.team("parent", under);
        if (parent == null) TeamGate.platformAdmin(reader);
        else TeamGate.need(reader, parent.id(), Role.TEAM_ADMIN);
        Team made = editor.create(reader.user(), parent == null ? null : parent.id(), body.name(), body.displayName());
        return ResponseEntity.created(URI.create("/api/v1/teams/" + made.id()))
                .eTag(ETags.of(book.version(made.id())))
                .body(views.of(made, reader));
    }

    @GetMapping("/{id}")
    ResponseEntity<TeamView> get(@PathVariable String id, Reader reader) {
        return answer(gate.team(id), reader);
    }

    @PutMapping("/{id}")
    ResponseEntity<TeamView> rename(
            @PathVariable String id,
            @RequestBody TeamView.RenameTeam body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        Team team = gate.inside(reader, id, Role.TEAM_ADMIN);
        return answer(editor.rename(reader.user(), team.id(), body.displayName(), ETags.required(ifMatch)), reader);
    }

    @PostMapping("/{id}/archive")
    ResponseEntity<TeamView> archive(@PathVariable String id, Reader reader) {
        TeamGate.platformAdmin(reader);
        return answer(editor.archive(reader.user(), gate.team(id).id()), reader);
    }

    private ResponseEntity<TeamView> answer(Team team, Reader reader) {
        return ResponseEntity.ok().eTag(ETags.of(book.version(team.id()))).body(views.of(team, reader));
    }
}
