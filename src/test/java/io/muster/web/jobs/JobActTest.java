package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.JobDocumentCodec;
import io.muster.job.JobLedger;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TeamVolume;
import io.muster.tenancy.TenancyAdmin;
import io.muster.web.jobs.RestGround.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobActTest {
    @Autowired
    private RestGround rest;

    @Autowired
    private TenancyAdmin tenancy;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Ground ground;

    @Autowired
    private JobLedger ledger;

    @Autowired
    private TransactionOperations transactions;

    @BeforeAll
    void settle() {
        ground.pool();
        ground.node("n1", "r1");
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        rest.member("bob", vision, Role.MEMBER);
        rest.member("adam", vision, Role.TEAM_ADMIN);
        rest.member("rob", rest.team("robotics"), Role.TEAM_ADMIN);
        rest.user("root", true);
        tenancy.ensureVolume(null, new TeamVolume(vision, "work", "pvc", null, false));
        tenancy.ensureDefaults(
                null, vision, new TeamDefaults(4000L, null, null, null, Duration.ofHours(10), List.of(), null, null));
    }

    @Test
    void whoMayCancelDoesAndOthersDoNot() {
        long id = submit("");
        assertThat(rest.post("bob", "/jobs/" + id + "/cancel", null).status()).isEqualTo(403);
        assertThat(rest.post("rob", "/jobs/" + id + "/cancel", null).status()).isEqualTo(404);
        Answer done = rest.post("ada", "/jobs/" + id + "/cancel", "{\"why\":\"wrong data\"}");
        assertThat(done.status()).isEqualTo(202);
        assertThat(state(done)).isEqualTo("CANCELLED");
        assertThat(rest.post("adam", "/jobs/" + id + "/cancel", null).status()).isEqualTo(202);
        assertThat(rest.post("ada", "/jobs/" + id + "/hold", null).type()).isEqualTo("not-possible");
        assertThat(rest.get("ada", "/jobs/" + id + "/events").body().toString())
                .contains("cancelled-by-user", "wrong data");
        assertThat(state(rest.post("adam", "/jobs/" + submit("") + "/cancel", null)))
                .isEqualTo("CANCELLED");
        assertThat(state(rest.post("root", "/jobs/" + submit("") + "/cancel", null)))
                .isEqualTo("CANCELLED");
    }

    @Test
    void aHeldJobWaitsUntilItIsReleased() {
        long id = submit("");
        Answer held = rest.post("ada", "/jobs/" + id + "/hold", "{\"why\":\"not before Monday\"}");
        assertThat(state(held)).isEqualTo("HELD");
        assertThat(held.body().path("holdWhy").asString()).isEqualTo("not before Monday");
        assertThat(held.body().path("actions").toString()).contains("release").doesNotContain("hold");
        assertThat(state(rest.post("ada", "/jobs/" + id + "/release", null))).isEqualTo("QUEUED");
        assertThat(rest.post("ada", "/jobs/" + id + "/hold", "{\"why\":\"\\u0000\"}")
                        .fields())
                .isEqualTo("why");
        assertThat(rest.post("ada", "/jobs/" + id + "/hold", "{\"wy\":\"x\"}").fields())
                .isEqualTo("wy");
    }

    @Test
    void whoHoldsAHeldJobWithAReasonGivesItThatReason() {
        long id = submit("");
        rest.post("ada", "/jobs/" + id + "/hold", "{\"why\":\"not before Monday\"}");

        Answer again = rest.post("ada", "/jobs/" + id + "/hold", null);
        assertThat(again.status()).as("asking twice is no error").isEqualTo(202);
        assertThat(again.body().path("holdWhy").asString()).isEqualTo("not before Monday");
        Answer another = rest.post("adam", "/jobs/" + id + "/hold", "{\"why\":\"the disk is full\"}");
        assertThat(another.status()).isEqualTo(202);
        assertThat(another.body().path("holdWhy").asString()).isEqualTo("the disk is full");
        assertThat(rest.get("ada", "/jobs/" + id + "/events").body().toString())
                .contains("hold-reason-changed", "the disk is full");

        String bulk = "{\"action\":\"hold\",\"jobs\":[%d],\"dryRun\":%s%s}";
        String why = ",\"why\":\"all of them\"";
        assertThat(outcome(bulk.formatted(id, true, why))).isEqualTo("would-do");
        assertThat(outcome(bulk.formatted(id, false, ""))).isEqualTo("unchanged");
        assertThat(outcome(bulk.formatted(id, false, why))).isEqualTo("done");
        assertThat(rest.get("ada", "/jobs/" + id).body().path("holdWhy").asString())
                .isEqualTo("all of them");
        assertThat(state(rest.post("ada", "/jobs/" + id + "/release", null))).isEqualTo("QUEUED");
    }

    private String outcome(String bulk) {
        return rest.post("ada", "/jobs/bulk", bulk)
                .body()
                .path("items")
                .path(0)
                .path("outcome")
                .asString();
    }

    @Test
    void aPatchMakesANewRevisionOfTheWholeDocument() {
        long id = submit("replicas: 4\ntopology: {require: rack}\n");
        Answer patched = rest.patch("ada", id, "{\"topology\":null,\"replicas\":2}", Map.of("If-Match", "\"1\""));
        assertThat(patched.status()).as(patched.raw().body()).isEqualTo(200);
        assertThat(patched.raw().headers().firstValue("ETag")).contains("\"2\"");
        assertThat(patched.body().path("job").path("gpus").asInt()).isEqualTo(2);
        assertThat(patched.body().path("document").has("topology")).isFalse();
        var stored = JobDocumentCodec.fromJson(
                jdbc.sql("select document from job_document where job_id = ? and revision = 2")
                        .param(id)
                        .query(String.class)
                        .single());
        assertThat(stored.replicas()).isEqualTo(2);
        assertThat(stored.topology().require()).isNull();
        assertThat(jdbc.sql("select revision || ' ' || replicas || ' ' || version from job where id = ?")
                        .param(id)
                        .query(String.class)
                        .single())
                .isEqualTo("2 2 1");
        assertThat(rest.get("ada", "/jobs/" + id + "/events").body().toString()).contains("document-changed");
    }

    @Test
    void aPatchMakesAWaitingJobElasticAndRigidAgain() {
        long id = submit("replicas: 4\n");
        Answer elastic = rest.patch("ada", id, "{\"elastic\":{\"min\":2}}", Map.of());
        assertThat(elastic.status()).as(elastic.raw().body()).isEqualTo(200);
        assertThat(elastic.body().path("job").path("minReplicas").asInt()).isEqualTo(2);
        assertThat(rest.patch("ada", id, "{\"elastic\":{\"min\":5}}", Map.of()).fields())
                .isEqualTo("elastic.min");
        Answer rigid = rest.patch("ada", id, "{\"elastic\":null}", Map.of());
        assertThat(rigid.body().path("job").path("minReplicas").isNull()).isTrue();
    }

    @Test
    void patchesAtOnceAllCountOneAfterTheOther() {
        long id = submit("");
        List<CompletableFuture<Answer>> sent = IntStream.range(0, 12)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> rest.patch("ada", id, "{\"labels\":{\"l" + i + "\":\"x\"}}", Map.of()),
                        Thread.ofVirtual()::start))
                .toList();
        assertThat(sent).allSatisfy(each -> assertThat(each.join().status()).isEqualTo(200));
        Answer now = rest.get("ada", "/jobs/" + id);
        assertThat(now.body().path("document").path("labels").size()).isEqualTo(12);
        assertThat(now.raw().headers().firstValue("ETag")).contains("\"13\"");
    }

    /** Or the loop, which holds other jobs then, and whoever moves this one wait for each other. */
    @Test
    void whoRefersToAJobDoesNotWaitForWhoMovesIt() {
        JobId job = new JobId(submit(""));
        transactions.executeWithoutResult(moving -> {
            ledger.apply(job, new LifecycleEvent.Hold(), io.muster.job.Cause.system("test"));
            CompletableFuture.runAsync(() -> refer(job), Thread.ofVirtual()::start)
                    .join();
        });
        assertThat(jdbc.sql("select count(*) from reservation where job_id = ?")
                        .param(job.value())
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    private void refer(JobId job) {
        transactions.executeWithoutResult(other -> {
            jdbc.sql("set local lock_timeout = '3s'").update();
            jdbc.sql("insert into reservation (id, job_id, pool, kind, created_at)"
                            + " values (gen_random_uuid(), ?, 'train', 'HEAD', now())")
                    .param(job.value())
                    .update();
        });
    }

    @Test
    void aPatchIsCheckedAsAWhole() {
        long id = submit("");
        assertThat(rest.patch("ada", id, "{\"replicas\":-1}", Map.of()).fields())
                .isEqualTo("replicas");
        assertThat(rest.patch("ada", id, "{\"gpuz\":1}", Map.of()).fields()).isEqualTo("gpuz");
        assertThat(rest.patch("ada", id, "{\"team\":\"robotics\"}", Map.of()).fields())
                .isEqualTo("team");
        assertThat(rest.patch("ada", id, "{\"image\":null}", Map.of()).fields()).isEqualTo("image");
        assertThat(rest.patch("ada", id, "{", Map.of()).status()).isEqualTo(400);
        assertThat(rest.patch("ada", id, "[]", Map.of()).status()).isEqualTo(400);
        assertThat(rest.patch("ada", id, "{\"replicas\":2}", Map.of("If-Match", "\"7\""))
                        .status())
                .isEqualTo(412);
        assertThat(rest.patch("bob", id, "{\"replicas\":2}", Map.of()).status()).isEqualTo(403);
        assertThat(rest.patch("rob", id, "{\"replicas\":2}", Map.of()).status()).isEqualTo(404);
        assertThat(rest.get("ada", "/jobs/" + id).body().path("revision").asInt())
                .isEqualTo(1);
        run(id);
        assertThat(rest.patch("ada", id, "{\"replicas\":2}", Map.of()).type()).isEqualTo("not-possible");
    }

    @Test
    void priorityFollowsTheRuleOfItsClass() {
        long id = submit("");
        Answer refused = rest.post("ada", "/jobs/" + id + "/priority", "{\"priority\":\"urgent\"}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.fields()).isEqualTo("priority");
        Answer raised = rest.post("adam", "/jobs/" + id + "/priority", "{\"priority\":\"urgent\"}");
        assertThat(raised.body().path("job").path("priority").asString()).isEqualTo("urgent");
        assertThat(rest.patch("ada", id, "{\"replicas\":2}", Map.of()).status())
                .as("what an admin raised stays when its owner changes something else")
                .isEqualTo(200);
        assertThat(rest.post("ada", "/jobs/" + id + "/priority", "{}").status()).isEqualTo(422);
    }

    @Test
    void onlyAdminsExtend() {
        long id = submit("walltime: 2h\n");
        assertThat(rest.post("ada", "/jobs/" + id + "/extend", "{\"by\":\"1h\"}")
                        .status())
                .isEqualTo(403);
        run(id);
        Answer extended = rest.post("adam", "/jobs/" + id + "/extend", "{\"by\":\"20h\"}");
        assertThat(extended.status()).as(extended.raw().body()).isEqualTo(200);
        assertThat(extended.body().path("walltimeSeconds").asLong()).isEqualTo(22 * 3600);
        assertThat(rest.post("adam", "/jobs/" + id + "/extend", "{\"by\":\"soon\"}")
                        .fields())
                .isEqualTo("by");
        assertThat(rest.post("adam", "/jobs/" + id + "/extend", "{\"by\":\"0s\"}")
                        .fields())
                .isEqualTo("by");
    }

    @Test
    void checkpointNowIsForThoseThatCanSaveAndGoOn() {
        long sigterm = submit("");
        run(sigterm);
        Answer refused = rest.post("ada", "/jobs/" + sigterm + "/checkpoint", null);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).contains("sigterm");
        assertThat(rest.get("ada", "/jobs/" + sigterm)
                        .body()
                        .path("refusals")
                        .path("checkpoint")
                        .path("sentence")
                        .asString())
                .contains("sigterm");
        long api = submit("checkpoint: {by: api, path: /w/c}\ndata: [{volume: work, at: /w}]\n");
        assertThat(rest.post("ada", "/jobs/" + api + "/checkpoint", null).status())
                .isEqualTo(409);
        run(api);
        Answer saving = rest.post("ada", "/jobs/" + api + "/checkpoint", null);
        assertThat(saving.status()).as(saving.raw().body()).isEqualTo(202);
        assertThat(state(saving)).isEqualTo("CHECKPOINTING");
        assertThat(saving.body().path("job").path("after").asString()).isEqualTo("RUNNING");
    }

    @Test
    void manyJobsAreActedOnAtOnceWithADryRunFirst() {
        long mine = submit("");
        long other = rest.submit("bob", yaml("x", "vision", 1)).id();
        long foreign = rest.submit("rob", yaml("x", "robotics", 1)).id();
        String body = "{\"action\":\"cancel\",\"jobs\":[%d,%d,%d,999999],\"dryRun\":%s}";
        Answer dry = rest.post("ada", "/jobs/bulk", body.formatted(mine, other, foreign, true));
        assertThat(outcomes(dry)).containsExactly("would-do", "refused", "not-found", "not-found");
        assertThat(state(rest.get("ada", "/jobs/" + mine))).isEqualTo("QUEUED");
        Answer done = rest.post("ada", "/jobs/bulk", body.formatted(mine, other, foreign, false));
        assertThat(outcomes(done)).containsExactly("done", "refused", "not-found", "not-found");
        assertThat(state(rest.get("ada", "/jobs/" + mine))).isEqualTo("CANCELLED");
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", body.formatted(mine, mine, mine, false))))
                .containsExactly("unchanged", "not-found");
        assertThat(rest.post("ada", "/jobs/bulk", "{\"action\":\"explode\",\"jobs\":[1],\"dryRun\":true}")
                        .fields())
                .isEqualTo("action");
        String long1 = "{\"action\":\"hold\",\"jobs\":[" + "1,".repeat(600_000) + "1],\"dryRun\":true}";
        assertThat(rest.post("ada", "/jobs/bulk", long1).status()).isEqualTo(413);
        assertThat(rest.post("ada", "/jobs/bulk", "{\"action\":\"hold\",\"jobs\":[],\"dryRun\":true}")
                        .fields())
                .isEqualTo("jobs");
    }

    @Test
    void bulkPriorityFollowsTheRulesOfEachJob() {
        long mine = submit("");
        String body = "{\"action\":\"priority\",\"priority\":\"%s\",\"jobs\":[%d],\"dryRun\":false}";
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", body.formatted("urgent", mine))))
                .containsExactly("refused");
        String dry = body.replace("false", "true");
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", dry.formatted("urgent", mine))))
                .as("the dry run knows the rule too")
                .containsExactly("refused");
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", dry.formatted("low", mine))))
                .containsExactly("would-do");
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", dry.formatted("normal", mine))))
                .containsExactly("unchanged");
        assertThat(outcomes(rest.post("ada", "/jobs/bulk", body.formatted("low", mine))))
                .containsExactly("done");
    }

    private long submit(String more) {
        Answer answer = rest.submit("ada", yaml("x", "vision", 1) + more);
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
        return answer.id();
    }

    /** What the loop and the cluster would do. */
    private void run(long id) {
        jdbc.sql("""
                        insert into attempt (job_id, number, revision, pool, gpu_type, placed_at)
                        values (?, 1, 1, 'train', 'H100-SXM', now())
                        """).param(id).update();
        ledger.apply(new JobId(id), new LifecycleEvent.Start(), io.muster.job.Cause.system("planned"));
        ledger.apply(new JobId(id), new LifecycleEvent.GangRunning(), io.muster.job.Cause.system("gang-running"));
    }

    private static String state(Answer answer) {
        return answer.body().path("job").path("state").asString();
    }

    private static List<String> outcomes(Answer answer) {
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        return answer.body()
                .path("items")
                .valueStream()
                .map(i -> i.path("outcome").asString())
                .toList();
    }
}
