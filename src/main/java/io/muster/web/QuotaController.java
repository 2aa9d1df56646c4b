package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.Pool;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.tenancy.QuotaEditor;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamQuota;
import io.muster.web.problem.ETags;
import io.muster.web.view.TeamView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Quotas: set by the admins of the team above, within what it has; at the top by platform admins. */
@RestController
@RequestMapping("/api/v1/teams/{id}/quotas/{pool}")
class QuotaController {
    private final TeamGate gate;
    private final Fleet fleet;
    private final QuotaEditor editor;
    private final TeamViews views;

    QuotaController(TeamGate gate, Fleet fleet, QuotaEditor editor, TeamViews views) {
        this.gate = gate;
        this.fleet = fleet;
        this.editor = editor;
        this.views = views;
    }

    @PutMapping
    ResponseEntity<TeamView.QuotaView> set(
            @PathVariable String id,
            @PathVariable String pool,
            @RequestBody TeamView.QuotaBody body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        Team team = gate.above(reader, id);
        Pool found = pool(pool);
        var shapes = ShapeCheck.shapes(found, fleet.nodes(), body.shapes());
        var quota = new TeamQuota(
                team.id(), found.id(), body.guaranteed(), body.limit(), body.lendable(), body.weight(), shapes);
        var set = editor.set(reader.user(), quota, ETags.required(ifMatch));
        return ResponseEntity.ok().eTag(ETags.of(set.version())).body(views.withWarning(set));
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(
            @PathVariable String id,
            @PathVariable String pool,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Reader reader) {
        Team team = gate.above(reader, id);
        editor.remove(reader.user(), team.id(), pool(pool).id(), ETags.required(ifMatch));
    }

    private Pool pool(String id) {
        return fleet.pool(new PoolId(id)).orElseThrow(() -> Refusal.notFound("pool"));
    }
}
