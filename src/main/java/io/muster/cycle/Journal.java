package io.muster.cycle;

import io.muster.database.SqlInstant;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** One row for each cycle that decided something, and one a minute otherwise. */
@Component
class Journal {
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final JdbcClient jdbc;
    private @Nullable Instant last;

    Journal(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A cycle as the journal keeps it; times in microseconds. */
    record Entry(
            Instant asOf,
            long policyNumber,
            int waiting,
            int running,
            PlanCommit.Done done,
            int breaches,
            long snapshot,
            long plan,
            long verify,
            long commit) {}

    void write(Entry e) {
        boolean quiet = !e.done().isSomething() && e.breaches() == 0;
        if (quiet && last != null && e.asOf().isBefore(last.plus(QUIET))) {
            return;
        }
        last = e.asOf();
        jdbc.sql("""
                        insert into scheduling_cycle (epoch, as_of, policy_revision, waiting, running, started,
                            preempted, breaches, snapshot_micros, plan_micros, verify_micros, commit_micros)
                        select epoch, :at, :policy, :waiting, :running, :started, :preempted, :breaches, :snapshot,
                            :plan, :verify, :commit from scheduler_epoch
                        """)
                .param("at", SqlInstant.of(e.asOf()))
                .param("policy", e.policyNumber())
                .param("waiting", e.waiting())
                .param("running", e.running())
                .param("started", e.done().started())
                .param("preempted", e.done().preempted())
                .param("breaches", e.breaches())
                .param("snapshot", e.snapshot())
                .param("plan", e.plan())
                .param("verify", e.verify())
                .param("commit", e.commit())
                .update();
    }
}
