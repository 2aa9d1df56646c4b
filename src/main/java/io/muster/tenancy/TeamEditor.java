package io.muster.tenancy;

import io.muster.model.Refusal;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Makes, renames and archives teams. Whoever calls has checked that {@code by} may. */
@Component
@Transactional
public class TeamEditor {
    private final Edits edits;
    private final List<TeamUse> uses;

    TeamEditor(Edits edits, List<TeamUse> uses) {
        this.edits = edits;
        this.uses = uses;
    }

    /** @param parent the team above, or null: at the top */
    public Team create(@Nullable UserId by, @Nullable TeamId parent, String name, String displayName) {
        TenancyState state = edits.begin();
        Names.slug("name", name);
        String path = parent == null ? name : Edits.openTeam(state, parent).path() + "/" + name;
        if (!TeamPath.isValid(path)) throw Refusal.invalid("name", "the path " + path + " is too deep or too long");
        state.team(new TeamPath(path)).ifPresent(there -> {
            throw Refusal.conflict(
                    "name",
                    there.archived()
                            ? "There was a team " + path + ", and what it did keeps its name: choose another."
                            : "There is a team " + path + " already.");
        });
        var team = new TeamEntity(
                UUID.randomUUID(),
                parent == null ? null : parent.value(),
                name,
                path,
                Names.display("displayName", displayName));
        edits.rows.persist(team);
        edits.done(by, "team.create", subject(team.teamId()), null, Map.of("path", path, "displayName", displayName));
        return Edits.team(edits.now(), team.teamId());
    }

    public Team rename(@Nullable UserId by, TeamId id, String displayName, @Nullable Long seen) {
        Edits.openTeam(edits.begin(), id);
        TeamEntity team = row(id);
        Edits.unchanged(seen, team.version);
        String before = team.displayName;
        team.displayName = Names.display("displayName", displayName);
        edits.done(
                by, "team.rename", subject(id), Map.of("displayName", before), Map.of("displayName", team.displayName));
        return Edits.team(edits.now(), id);
    }

    /** Nothing starts in an archived team any more; what it did stays readable. */
    public Team archive(@Nullable UserId by, TeamId id) {
        TenancyState state = edits.begin();
        Team team = Edits.openTeam(state, id);
        if (state.children(id).stream().anyMatch(child -> !child.archived())) {
            throw Refusal.conflict("Archive the teams below " + team.path() + " first.");
        }
        row(id).archivedAt = Instant.now();
        // Written before it is counted: a submission holds the team's row, so that this one sees it or it sees this.
        edits.rows.flush();
        int open = uses.stream().mapToInt(use -> use.openJobs(id)).sum();
        if (open > 0) {
            throw Refusal.conflict(team.path() + " has " + open + " jobs that have not ended: cancel them first.");
        }
        edits.done(by, "team.archive", subject(id), Map.of("archived", false), Map.of("archived", true));
        return Edits.team(edits.now(), id);
    }

    private TeamEntity row(TeamId id) {
        return edits.find(TeamEntity.class, id.value()).orElseThrow(() -> Refusal.notFound("team"));
    }

    static String subject(TeamId id) {
        return "team:" + id;
    }
}
