package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.TeamId;
import io.muster.policy.PolicyBook;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.support.Ground;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/** One damaged row of any table that the cycle reads: it is set aside and says why, and the others are planned. */
class DamageStoryTest extends LoopFixture {
    @Autowired
    PolicyBook policy;

    private JobId good;

    @BeforeEach
    void aJobThatMustStart() {
        good = submit(Ground.document("vision", 1, 8));
    }

    private void goodStartsOn(String node) {
        start(good, node);
        assertThat(state(good)).isEqualTo(JobState.STARTING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job_document set document = '[]' where job_id = ",
                "update job_document set document = document #- '{filled,groups}' where job_id = ",
                "update job_document set document = '\"no document\"' where job_id = ",
                "update job_document set document = jsonb_set(document, '{filled,groups}', '[]') where job_id = ",
                "update job_document set document = jsonb_set(document, '{filled,groups,0,replicas}', '-1') where job_id = ",
                "update job_document set document = jsonb_set(document, '{filled,groups,0,gpus}', '\"many\"') where job_id = ",
                "delete from job_document where job_id = "
            })
    void aWaitingJobWithoutAReadableDocumentIsHeldAndSaysWhy(String damage) {
        JobId damaged = submit(Ground.document("vision", 1, 8));
        jdbc.sql(damage + damaged).update();

        goodStartsOn("n1");

        assertThat(state(damaged)).isEqualTo(JobState.HELD);
        assertThat(job(damaged).past().holdWhy()).contains("It cannot be planned", "its document");
        assertThat(causes(damaged)).containsExactly("set-aside");

        apply(damaged, new LifecycleEvent.Release());
        cycle.run();
        assertThat(state(damaged)).as("released, it is as damaged as before").isEqualTo(JobState.HELD);
    }

    @Test
    void aDocumentThatWasMendedIsPlannedAgain() {
        JobId damaged = submit(Ground.document("vision", 1, 8));
        jdbc.sql("update job_document set document = '[]' where job_id = " + damaged)
                .update();
        cycle.run();
        jdbc.sql("insert into job_document select :job, 2, document, by, at from job_document where job_id = :good")
                .param("job", damaged.value())
                .param("good", good.value())
                .update();
        jdbc.sql("update job set revision = 2, version = version + 1 where id = " + damaged)
                .update();
        apply(damaged, new LifecycleEvent.Release());

        cycle.run();

        assertThat(planner.seen.waiting()).extracting(WaitingJob::id).contains(damaged);
    }

    @Test
    void aRunningJobWithoutAReadableDocumentGoesOnAndKeepsItsGpus() {
        AttemptId attempt = run(submit(Ground.document("vision", 1, 8)), "n2");
        jdbc.sql("insert into job_document select job_id, 2, '[]', by, at from job_document where job_id = "
                        + attempt.job())
                .update();
        jdbc.sql("update attempt set revision = 2 where job_id = " + attempt.job())
                .update();
        jdbc.sql("update job set revision = 2 where id = " + attempt.job()).update();

        goodStartsOn("n1");

        assertThat(state(attempt.job())).isEqualTo(JobState.RUNNING);
        assertThat(free("n2")).as("nobody else is given them").isZero();
        assertThat(reason(attempt.job())).contains("its document");
        apply(attempt.job(), new LifecycleEvent.Cancel());
        gone(attempt);
        assertThat(state(attempt.job())).as("it can still be stopped").isEqualTo(JobState.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job set backoff_after = 'NONSENSE' where id = ",
                "update job set submitted_at = 'infinity' where id = ",
                "update job set waiting_since = '-infinity' where id = "
            })
    void aJobWhoseRowCannotBeReadIsLeftOutAndSaysWhy(String damage) {
        JobId damaged = submit(Ground.document("vision", 1, 8));
        jdbc.sql(damage + damaged).update();

        goodStartsOn("n1");
        cycle.run();

        assertThat(planner.seen.waiting()).extracting(WaitingJob::id).doesNotContain(damaged);
        assertThat(reason(damaged)).contains("its row");
        assertThat(count("select count(*) from job_event where kind = 'set-aside' and job_id = " + damaged))
                .as("told once")
                .isOne();
        assertThat(jdbc.sql("select body -> 'reasons' -> 0 ->> 'why' from explanation where job_id = " + damaged)
                        .query(String.class)
                        .single())
                .contains("its row");
    }

    @Test
    void anAttemptThatCannotBeReadKeepsItsGpusAndStopsNobody() {
        AttemptId attempt = run(submit(Ground.document("vision", 1, 8)), "n2");
        jdbc.sql("update attempt set failure = 'NONSENSE' where job_id = " + attempt.job())
                .update();

        goodStartsOn("n1");

        assertThat(planner.seen.running()).extracting(RunningJob::id).doesNotContain(attempt.job());
        assertThat(free("n2")).isZero();
        assertThat(reason(attempt.job())).contains("its attempt");
        jdbc.sql("update attempt set failure = null where job_id = " + attempt.job())
                .update();
        cycle.run();
        assertThat(planner.seen.running()).extracting(RunningJob::id).contains(attempt.job());
    }

    @Test
    void aNodeOfWhichNobodyKnowsHowMuchIsHeldTakesNoMore() {
        AttemptId attempt = run(submit(Ground.document("vision", 2, 4)), "n2", "n3");
        jdbc.sql("update replica set gpus = -4 where node = 'n2' and job_id = " + attempt.job())
                .update();

        goodStartsOn("n1");

        assertThat(node("n2").takesReplicas()).isFalse();
        assertThat(free("n3")).as("what can be read is counted").isEqualTo(4);
        assertThat(reason(attempt.job())).contains("its replica");
        jdbc.sql("update replica set gpus = 4 where node = 'n2' and job_id = " + attempt.job())
                .update();
        cycle.run();
        assertThat(node("n2").takesReplicas()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update node set gpus = -8 where id = 'n4'",
                "update node set domain = array['somewhere'] where id = 'n4'",
                "update node set domain = array[null, 'n4'] where id = 'n4'"
            })
    void aNodeThatCannotBeReadIsLeftOut(String damage) {
        AttemptId onIt = run(submit(Ground.document("vision", 1, 8)), "n4");
        jdbc.sql(damage).update();

        goodStartsOn("n1");

        assertThat(planner.seen.nodes()).extracting(NodeView::id).doesNotContain(new NodeId("n4"));
        assertThat(state(onIt.job())).isEqualTo(JobState.RUNNING);
        ground.node("n4", "r2", true, 7);
        ground.node("n4", "r2");
        cycle.run();
        assertThat(planner.seen.nodes())
                .as("its next report mends it")
                .extracting(NodeView::id)
                .contains(new NodeId("n4"));
    }

    @Test
    void aQuotaThatMakesNoSenseGivesItsTeamNothingAndStopsNobody() {
        TeamId odd = ground.team("odd", 8);
        jdbc.sql("alter table quota drop constraint quota_guaranteed").update();
        jdbc.sql("update quota set guaranteed = -5 where team_id = :team")
                .param("team", odd.value())
                .update();

        goodStartsOn("n1");

        var quotas =
                planner.seen.teams().stream().filter(t -> t.id().equals(odd)).map(TeamView::quotas);
        assertThat(quotas.findFirst().orElseThrow()).isEmpty();
        jdbc.sql("update quota set guaranteed = 8 where team_id = :team")
                .param("team", odd.value())
                .update();
        jdbc.sql("alter table quota add constraint quota_guaranteed check (guaranteed >= 0)")
                .update();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"reclaimPercent\": \"a lot\"}", "{\"agingStep\": \"PT0S\"}", "{\"minRuntime\": null}", "[]"})
    void aPolicyThatCannotBeReadLeavesTheOneBeforeInForce(String body) {
        long before = policy.current().number();
        jdbc.sql("insert into policy_revision (body, by, why) values (:body::jsonb, 'test', 'damaged')")
                .param("body", body)
                .update();

        goodStartsOn("n1");

        assertThat(policy.current().number()).isEqualTo(before);
        jdbc.sql("delete from policy_revision where why = 'damaged'").update();
    }

    @Test
    void aPoolThatCannotBeReadIsLeftOutWithAllThatIsInIt() {
        jdbc.sql("insert into pool (id, display_name, levels, profile)"
                        + " select 'odd', 'Odd', '{\"no\": \"list\"}', profile from pool where id = 'train'")
                .update();

        goodStartsOn("n1");

        jdbc.sql("delete from pool where id = 'odd'").update();
    }

    @Test
    void aRunningJobThatMakesTheCoreThrowIsLeftAloneAndTheOthersArePlanned() {
        AttemptId poison = run(submit(Ground.document("vision", 1, 8)), "n2");
        planner.throwsAt(poison.job());

        assertThat(cycle.run()).isEqualTo(Cycle.Outcome.FAILED);

        goodStartsOn("n1");
        assertThat(free("n2")).isZero();
        assertThat(state(poison.job())).isEqualTo(JobState.RUNNING);
        assertThat(reason(poison.job())).contains("made up");
        gone(poison);
        cycle.run();
        assertThat(state(poison.job()))
                .as("what happens to it counts as before")
                .isEqualTo(JobState.HELD);
    }

    private NodeView node(String name) {
        return planner.seen.nodes().stream()
                .filter(n -> n.id().equals(new NodeId(name)))
                .findFirst()
                .orElseThrow();
    }

    private int free(String name) {
        int held = planner.seen.running().stream()
                .flatMap(r -> r.placements().stream())
                .filter(p -> p.node().equals(new NodeId(name)))
                .mapToInt(p -> p.amount().gpus())
                .sum();
        return node(name).allocatable().gpus() - node(name).foreign().gpus() - held;
    }

    private String reason(JobId job) {
        return jdbc.sql("select data ->> 'reason' from job_event where kind = 'set-aside' and job_id = " + job)
                .query(String.class)
                .single();
    }
}
