package io.muster.web;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.policy.ModeEntry;
import io.muster.policy.ModeSwitch;
import io.muster.web.view.ModeView;
import org.springframework.stereotype.Component;

/** Shows what people ordered and is in force. */
@Component
public class ModeViews {
    private final ModeSwitch modes;
    private final TeamGate gate;

    ModeViews(ModeSwitch modes, TeamGate gate) {
        this.modes = modes;
        this.gate = gate;
    }

    public ModeView now() {
        return new ModeView(modes.inForce().stream().map(this::view).toList());
    }

    private ModeView.Entry view(ModeEntry e) {
        PoolId pool = e.pool();
        TeamId team = e.team();
        return new ModeView.Entry(
                e.id(),
                e.mode().name(),
                pool == null ? null : pool.value(),
                team == null ? null : gate.path(team),
                e.by(),
                e.since(),
                e.why());
    }
}
