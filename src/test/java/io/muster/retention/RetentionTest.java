package io.muster.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.job.Cause;
import io.muster.job.JobEvents;
import io.muster.job.JobLedger;
import io.muster.job.LogStore;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.security.ApiTokens;
import io.muster.security.TokenScope;
import io.muster.support.Ground;
import io.muster.support.HandClock;
import io.muster.support.LoopTest;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;

@LoopTest
class RetentionTest {
    @Autowired
    Retention retention;

    @Autowired
    List<Shelf> shelves;

    @Autowired
    Ground ground;

    @Autowired
    HandClock clock;

    @Autowired
    JobLedger ledger;

    @Autowired
    JobEvents events;

    @Autowired
    LogStore logs;

    @Autowired
    ApiTokens tokens;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    DataSource database;

    private TeamId team;
    private UserId ada;

    @BeforeEach
    void settle() {
        ground.pool();
        team = ground.team("vision", 8);
        ada = ground.user("ada");
    }

    @Test
    void aJobsEventsGoWholeAWhileAfterItsEndAndItsRecordStays() {
        JobId early = ended();
        clock.pass(Duration.ofDays(300));
        JobId late = ended();
        JobId waits = job();
        long audited = count("select count(*) from audit_entry");
        assertThat(audited).isPositive();

        clock.pass(Duration.ofDays(99));
        retention.pass();
        assertThat(eventsOf(early)).as("399 days after its end").isEqualTo(3);

        clock.pass(Duration.ofDays(2));
        retention.pass();
        assertThat(eventsOf(early)).isZero();
        assertThat(eventsOf(late)).isEqualTo(3);

        clock.pass(Duration.ofDays(2000));
        retention.pass();
        assertThat(eventsOf(late)).isZero();
        assertThat(eventsOf(waits)).as("it has not ended").isEqualTo(2);
        assertThat(count("select count(*) from job")).isEqualTo(3);
        assertThat(count("select count(*) from job_document")).isEqualTo(3);
        assertThat(count("select count(*) from audit_entry"))
                .as("the trail stays")
                .isEqualTo(audited);
    }

    @Test
    void outputGoesAfterAMonthUnlessTheJobStillRuns() {
        JobId done = ended();
        JobId runs = job();
        for (JobId job : List.of(done, runs)) {
            logs.append(List.of(new LogStore.Printed(
                    new ReplicaId(new AttemptId(job, 1), "worker", 0), 0, List.of("a", "b"), clock.instant())));
            jdbc.sql("insert into log_dropped values (?, 1, 'worker', 0, 7)")
                    .param(job.value())
                    .update();
        }

        clock.pass(Duration.ofDays(29));
        retention.pass();
        assertThat(count("select count(*) from log_chunk")).isEqualTo(2);

        clock.pass(Duration.ofDays(2));
        retention.pass();
        assertThat(count("select count(*) from log_chunk where job_id = " + done))
                .isZero();
        assertThat(count("select count(*) from log_dropped where job_id = " + done))
                .isZero();
        assertThat(count("select count(*) from log_chunk where job_id = " + runs))
                .isOne();
        assertThat(count("select count(*) from log_dropped where job_id = " + runs))
                .isOne();
        assertThat(eventsOf(done)).as("events stay longer").isEqualTo(3);
    }

    /** More jobs than one look, more events than one batch, and an end between two passes. */
    @Test
    void manyBatchesLeaveNothingBehindAndTakeNothingTooEarly() {
        jdbc.sql("""
                        insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, state,
                            submitted_at, waiting_since, ended_at)
                        select ?, ?, 'old', 'normal', true, 1, 1, 'SUCCEEDED', ?::timestamptz, ?::timestamptz,
                            -- Ends that many jobs share: the mark must not skip any of them.
                            ?::timestamptz + make_interval(secs => (n / 7))
                        from generate_series(1, 700) n
                        """)
                .params(
                        team.value(),
                        ada.value(),
                        clock.instant().toString(),
                        clock.instant().toString(),
                        clock.instant().toString())
                .update();
        jdbc.sql("""
                        insert into job_event (at, job_id, team_id, attempt, kind, why)
                        select j.ended_at, j.id, j.team_id, 0, 'old', 'old' from job j, generate_series(1, 10)
                        where j.name = 'old'
                        """).update();
        clock.pass(Duration.ofDays(401));
        JobId fresh = ended();

        retention.pass();

        assertThat(count("select count(*) from job_event where kind = 'old'")).isZero();
        assertThat(eventsOf(fresh)).isEqualTo(3);
        clock.pass(Duration.ofDays(401));
        retention.pass();
        assertThat(eventsOf(fresh)).isZero();
    }

    @Test
    void theLoopsPaperUseAndWornOutTokensGo() {
        jdbc.sql("insert into scheduling_cycle (epoch, as_of, policy_revision, waiting, running, started, preempted,"
                        + " breaches, snapshot_micros, plan_micros, verify_micros, commit_micros)"
                        + " select 1, ?::timestamptz - make_interval(days => n), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0"
                        + " from generate_series(89, 91, 2) n")
                .param(clock.instant().toString())
                .update();
        jdbc.sql("insert into usage_day (day, team_id, principal_id, pool)"
                        + " select (?::timestamptz - make_interval(days => n))::date, ?, ?, 'train'"
                        + " from generate_series(1829, 1832, 3) n")
                .params(clock.instant().toString(), team.value(), ada.value())
                .update();
        jdbc.sql("insert into idempotency_key (principal_id, key, body_hash, job_id, created_at)"
                        + " select ?, n::text, '', 1, now() - make_interval(days => n) from generate_series(6, 8, 2) n")
                .param(ada.value())
                .update();
        var works = tokens.create(ada, ada, "works", TokenScope.READ, null, Duration.ofDays(300));
        for (int days : new int[] {89, 91}) {
            var token = tokens.create(ada, ada, "gone", TokenScope.READ, null, Duration.ofDays(300));
            jdbc.sql("update api_token set revoked_at = now() - make_interval(days => ?) where id = ?")
                    .params(days, token.token().id())
                    .update();
        }

        retention.pass();

        assertThat(count("select count(*) from scheduling_cycle")).isOne();
        assertThat(count("select count(*) from usage_day")).isOne();
        assertThat(count("select count(*) from idempotency_key")).isOne();
        assertThat(tokens.list(ada))
                .hasSize(2)
                .anyMatch(t -> t.id().equals(works.token().id()));
    }

    @Test
    void whileAnotherServerClearsThisOneRests() throws Exception {
        JobId job = ended();
        clock.pass(Duration.ofDays(401));
        try (Connection other = database.getConnection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(" + Retention.LOCK + ")");
            }
            retention.pass();
            assertThat(eventsOf(job)).isEqualTo(3);
            other.rollback();
        }
        retention.pass();
        assertThat(eventsOf(job)).isZero();
    }

    @Test
    void settingsSayHowLongAndAreChecked() {
        var environment = new MockEnvironment().withProperty("muster.retention.logs", "5d");
        var kept = new KeptFor(shelves, environment);
        assertThat(kept.of("logs")).isEqualTo(Duration.ofDays(5));
        assertThat(kept.of("job-events")).isEqualTo(Duration.ofDays(400));

        assertThatThrownBy(
                        () -> new KeptFor(shelves, new MockEnvironment().withProperty("muster.retention.audit", "5d")))
                .hasMessageContaining("muster.retention.audit is none of");
        assertThatThrownBy(
                        () -> new KeptFor(shelves, new MockEnvironment().withProperty("muster.retention.logs", "5m")))
                .hasMessageContaining("at least an hour");
    }

    private JobId job() {
        JobId job = ground.submit(team, ada, Ground.document("vision", 1, 8));
        events.append(job, 0, "first", Cause.system("test"));
        events.append(job, 0, "second", Cause.system("test", Map.of("more", "data")));
        return job;
    }

    private JobId ended() {
        JobId job = job();
        ledger.apply(job, new LifecycleEvent.Cancel(), Cause.system("test"));
        return job;
    }

    private long eventsOf(JobId job) {
        return count("select count(*) from job_event where job_id = " + job);
    }

    private long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }
}
