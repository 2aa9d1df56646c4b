package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What can be done to the virtual cluster from outside: by tests, and by chance where that is switched on. */
public final class VirtualFleet {
    private final JdbcClient jdbc;
    private final NodeRows nodes;
    private final Clock clock;
    private final VirtualProperties properties;

    VirtualFleet(JdbcClient jdbc, NodeRows nodes, Clock clock, VirtualProperties properties) {
        this.jdbc = jdbc;
        this.nodes = nodes;
        this.clock = clock;
        this.properties = properties;
    }

    /**
     * The machine stops: the node is no longer ready, its programs are dead, and nobody can say so yet. When it stays
     * away for {@code muster.virtual.lost-node-timeout}, its object goes, and its pods with it. False: it did not run.
     */
    public boolean fail(NodeId node) {
        Instant now = now();
        return nodes.fail(node, now, now.plus(properties.lostNodeTimeout()), null);
    }

    /** The machine is back: it is ready again and says that what ran on it has died. False: it was not away. */
    public boolean restore(NodeId node) {
        return nodes.restore(node, now());
    }

    /** The program of a replica ends with this exit code, whatever it was doing. False: there is no such pod. */
    public boolean end(ReplicaId replica, int exitCode) {
        return jdbc.sql("""
                        with hit as (
                            update virtual_attempt a
                            set version = version + 1,
                                next_due_at = least(a.next_due_at, greatest(:now, a.telling_until + interval '1 ms'))
                            where job_id = :job and attempt = :attempt and not gone
                            returning job_id, attempt, greatest(:now, telling_until + interval '1 ms') as at)
                        update virtual_pod p set ordered_end_at = hit.at, ordered_exit_code = :code from hit
                        where p.job_id = hit.job_id and p.attempt = hit.attempt and p.grp = :group and p.idx = :index
                            and not p.ended and p.ordered_end_at is null
                        """)
                        .param("now", SqlInstant.of(now()))
                        .param("job", replica.attempt().job().value())
                        .param("attempt", replica.attempt().number())
                        .param("group", replica.group())
                        .param("index", replica.index())
                        .param("code", exitCode)
                        .update()
                == 1;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
