package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.util.ArrayList;
import java.util.List;

/** What people allow now. */
final class ModeRules {
    private final ModeView mode;
    private final ShareFacts shares;

    ModeRules(ClusterSnapshot snapshot, ShareFacts shares) {
        mode = snapshot.mode();
        this.shares = shares;
    }

    List<Finding> start(JobFacts facts, PoolId pool) {
        var findings = new ArrayList<Finding>();
        if (mode.paused() != null || mode.safe() != null || mode.pausedPools().containsKey(pool)) {
            findings.add(new Finding(Rule.MODE, "paused"));
        }
        for (var step : shares.way(facts.team())) {
            if (!step.own() && mode.pausedTeams().containsKey(step.team())) {
                findings.add(new Finding(Rule.MODE, "team paused"));
            }
        }
        if (!shares.knows(facts.team())) {
            findings.add(new Finding(Rule.UNKNOWN_JOB, "no such team"));
        }
        return findings;
    }

    List<Finding> preempt() {
        boolean frozen = mode.paused() != null || mode.safe() != null || mode.frozen() != null;
        return frozen ? List.of(new Finding(Rule.MODE, "preemption frozen")) : List.of();
    }

    List<Finding> stop() {
        return mode.safe() != null ? List.of(new Finding(Rule.MODE, "safe mode")) : List.of();
    }
}
