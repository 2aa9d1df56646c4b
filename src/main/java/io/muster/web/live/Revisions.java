package io.muster.web.live;

import io.muster.inventory.Fleet;
import io.muster.policy.PolicyBook;
import io.muster.tenancy.TeamDirectory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Notices that the fleet, the shares or what people decided has changed, by numbers that only grow. */
@Component
class Revisions {
    private final Fleet fleet;
    private final TeamDirectory teams;
    private final PolicyBook policy;
    private final JdbcClient jdbc;
    private final Map<String, Long> known = new TreeMap<>();

    Revisions(Fleet fleet, TeamDirectory teams, PolicyBook policy, JdbcClient jdbc) {
        this.fleet = fleet;
        this.teams = teams;
        this.policy = policy;
        this.jdbc = jdbc;
    }

    /** What moved since the last time, by the name of its event; the first time nothing. */
    Map<String, Long> news() {
        Map<String, Long> now = new LinkedHashMap<>();
        now.put("fleet", fleet.revision());
        now.put("mode", policy.revision());
        now.put("shares", Math.addExact(teams.revision(), shares()));
        Map<String, Long> moved = new LinkedHashMap<>();
        now.forEach((event, revision) -> {
            Long before = known.put(event, revision);
            if (before != null && !before.equals(revision)) {
                moved.put(event, revision);
            }
        });
        return moved;
    }

    /** Milliseconds of the newest share. */
    private long shares() {
        return jdbc.sql("select coalesce(max(extract(epoch from as_of) * 1000), 0)::bigint from share")
                .query(Long.class)
                .single();
    }
}
