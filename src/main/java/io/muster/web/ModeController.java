package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.policy.ModeEntry;
import io.muster.policy.ModeSwitch;
import io.muster.tenancy.Reader;
import io.muster.web.view.ModeView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Pause, freeze, safe mode: one call each, with a reason. A team's admin may pause that team. */
@RestController
@RequestMapping("/api/v1/mode")
class ModeController {
    private final TeamGate gate;
    private final Fleet fleet;
    private final ModeSwitch modes;
    private final ModeViews views;

    ModeController(TeamGate gate, Fleet fleet, ModeSwitch modes, ModeViews views) {
        this.gate = gate;
        this.fleet = fleet;
        this.modes = modes;
        this.views = views;
    }

    @GetMapping
    ModeView get(Reader reader) {
        return views.now();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ModeView order(@RequestBody ModeView.Body body, Reader reader) {
        TeamId team = team(body.team());
        need(reader, team);
        modes.order(reader.user(), reader.username(), mode(body.mode()), pool(body.pool()), team, body.why());
        return views.now();
    }

    @PostMapping("/{id}/end")
    ModeView end(@PathVariable long id, @RequestBody ModeView.EndBody body, Reader reader) {
        ModeEntry entry = modes.inForce(id).orElseThrow(() -> Refusal.notFound("order in force"));
        need(reader, entry.team());
        modes.end(reader.user(), reader.username(), id, body.why());
        return views.now();
    }

    private static void need(Reader reader, @Nullable TeamId team) {
        if (team == null) TeamGate.platformAdmin(reader);
        else TeamGate.need(reader, team, Role.TEAM_ADMIN);
    }

    private @Nullable TeamId team(@Nullable String path) {
        return path == null || path.isEmpty() ? null : gate.team("team", path).id();
    }

    private @Nullable PoolId pool(@Nullable String id) {
        if (id == null || id.isEmpty()) return null;
        return fleet.pool(new PoolId(id))
                .orElseThrow(() -> Refusal.invalid("pool", "There is no pool " + id + "."))
                .id();
    }

    private static ModeEntry.Mode mode(String name) {
        return Arrays.stream(ModeEntry.Mode.values())
                .filter(m -> m.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid("mode", "must be PAUSED, FROZEN or SAFE"));
    }
}
