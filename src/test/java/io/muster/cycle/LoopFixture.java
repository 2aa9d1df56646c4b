package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.dispatch.AttemptProgram;
import io.muster.dispatch.DispatchHand;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.Cause;
import io.muster.job.JobDocument;
import io.muster.job.JobLedger;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.FailureClass;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.support.Ground;
import io.muster.support.HandClock;
import io.muster.support.LoopTest;
import io.muster.support.NotedCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the stories of the loop share: a server whose every move is the test's. */
@LoopTest
@Import({DispatchHand.class, LoopFixture.Script.class})
abstract class LoopFixture {
    @TestConfiguration(proxyBeanMethods = false)
    static class Script {
        @Bean
        @Primary
        ScriptedPlanner scriptedPlanner() {
            return new ScriptedPlanner();
        }
    }

    @Autowired
    Cycle cycle;

    @Autowired
    ScriptedPlanner planner;

    @Autowired
    Picture picture;

    @Autowired
    Leadership leadership;

    @Autowired
    DispatchHand dispatch;

    @Autowired
    NotedCluster cluster;

    @Autowired
    ClusterObserver observer;

    @Autowired
    AttemptProgram programs;

    @Autowired
    JobLedger ledger;

    @Autowired
    LedgerReader reader;

    @Autowired
    Ground ground;

    @Autowired
    HandClock clock;

    @Autowired
    JdbcClient jdbc;

    TeamId team;
    UserId user;

    @BeforeEach
    void ground() {
        for (String table : List.of(
                "explanation",
                "reservation",
                "cluster_command",
                "checkpoint",
                "replica",
                "attempt",
                "log_chunk",
                "log_dropped",
                "job_usage",
                "usage_day",
                "usage_mark",
                "job_document",
                "job")) {
            jdbc.sql("delete from " + table).update();
        }
        // Rows are never deleted but by this test, so the picture would keep them.
        picture.forget();
        planner.next();
        planner.throwsAt(null);
        ground.pool();
        team = ground.team("vision", 16);
        user = ground.user("ada");
        for (int i = 1; i <= 4; i++) {
            ground.node("n" + i, i <= 2 ? "r1" : "r2");
        }
    }

    JobId submit(JobDocument document) {
        return ground.submit(team, user, document);
    }

    /** Starts a job on the given nodes, one replica each in order, all the way to RUNNING. */
    AttemptId run(JobId job, String... nodes) {
        AttemptId attempt = start(job, nodes);
        all(attempt, ReplicaPhase.RUNNING);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        return attempt;
    }

    /** Plans and dispatches a start. */
    AttemptId start(JobId job, String... nodes) {
        planner.next(snapshot -> List.of(start(
                snapshot.waiting().stream()
                        .filter(w -> w.id().equals(job))
                        .findFirst()
                        .orElseThrow(),
                nodes)));
        assertThat(cycle.run()).isEqualTo(Cycle.Outcome.DECIDED);
        dispatch.runAll();
        return new AttemptId(job, job(job).attempt());
    }

    static Decision.Start start(WaitingJob job, String... nodes) {
        var placements = new ArrayList<ReplicaPlacement>();
        int next = 0;
        for (GroupShape group : job.facts().groups()) {
            for (int i = 0; i < group.replicas(); i++) {
                placements.add(
                        new ReplicaPlacement(group.name(), i, new NodeId(nodes[next++ % nodes.length]), group.each()));
            }
        }
        return new Decision.Start(job.id(), Ground.POOL, Ground.H100, placements, null, DomainPath.POOL, false, null);
    }

    Decision.RequestCheckpoint ask(AttemptId victim, JobId beneficiary) {
        return new Decision.RequestCheckpoint(victim.job(), victim, beneficiary, Decision.Cause.RECLAIM, 8, 100);
    }

    /** Every replica that the cluster still has is seen in a phase. */
    void all(AttemptId attempt, ReplicaPhase phase) {
        observer.observe(reader.replicas(attempt).stream()
                .filter(r -> !r.isReleased())
                .map(r -> (ClusterFact) seen(r, phase, phase == ReplicaPhase.FAILED ? FailureClass.USER_ERROR : null))
                .toList());
    }

    ClusterFact.ReplicaSeen seen(LedgerReplica r, ReplicaPhase phase, FailureClass failure) {
        return new ClusterFact.ReplicaSeen(
                r.id(), phase, r.node(), null, phase == ReplicaPhase.FAILED ? 1 : null, failure, null, clock.instant());
    }

    void gone(AttemptId attempt) {
        observer.observe(reader.replicas(attempt).stream()
                .map(r -> (ClusterFact) new ClusterFact.ReplicaGone(r.id(), clock.instant()))
                .toList());
    }

    void apply(JobId job, LifecycleEvent event) {
        ledger.apply(job, event, Cause.person(user, "test"));
    }

    LedgerJob job(JobId id) {
        return reader.job(id).orElseThrow();
    }

    LedgerAttempt attempt(AttemptId id) {
        return reader.attempt(id).orElseThrow();
    }

    JobState state(JobId id) {
        return job(id).life().state();
    }

    long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    List<String> causes(JobId job) {
        return jdbc.sql("select why from job_event where job_id = :job and kind = 'state-changed' order by id")
                .param("job", job.value())
                .query(String.class)
                .list();
    }
}
