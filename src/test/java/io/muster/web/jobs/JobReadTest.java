package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.ExplanationCodec;
import io.muster.model.DomainPath;
import io.muster.model.Explanation;
import io.muster.model.Holder;
import io.muster.model.JobId;
import io.muster.model.NodeGap;
import io.muster.model.NodeId;
import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.Resources;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.support.ScriptedFeasibility;
import io.muster.web.jobs.RestGround.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobReadTest {
    private static final Instant NOW = Instant.parse("2026-03-02T08:00:00Z");

    @Autowired
    private RestGround rest;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Ground ground;

    @Autowired
    private ScriptedFeasibility feasibility;

    private TeamId vision;

    @BeforeAll
    void settle() {
        ground.pool();
        ground.node("n1", "r1");
        rest.team("research");
        vision = rest.team("research/vision");
        TeamId robotics = rest.team("robotics");
        rest.member("ada", vision, Role.MEMBER);
        rest.member("vic", vision, Role.VIEWER);
        rest.member("rob", robotics, Role.MEMBER);
        rest.user("root", true);
    }

    @Test
    void othersSeeWhatFairnessNeedsAndNoMore() {
        long id = rest.submit("ada", yaml("secret-model", "research/vision", 3) + "labels: {project: hush}\n")
                .id();
        JsonNode job = rest.get("rob", "/jobs/" + id).body();
        assertThat(job.toString()).doesNotContain("secret", "ada", "hush", "images.example", "train");
        assertThat(job.path("job").path("team").asString()).isEqualTo("research/vision");
        assertThat(job.path("job").path("gpus").asInt()).isEqualTo(3);
        assertThat(job.path("job").path("state").asString()).isEqualTo("QUEUED");
        assertThat(job.path("job").path("mayAct").asBoolean()).isFalse();
        assertThat(job.path("document").isNull()).isTrue();
        assertThat(rest.get("vic", "/jobs/" + id).body().toString()).contains("secret-model", "ada", "hush");
        assertThat(rest.get("root", "/jobs/" + id).body().toString()).contains("secret-model");
    }

    /** One row that makes no sense, and the lists on which it stands. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job set submitted_at = 'infinity' where id = ",
                "update job set shape = '{\"a\":1}', labels = '[7]' where id = ",
                "update job set pool = '' where id = ",
                "update explanation set body = '{\"reasons\":[{\"type\":\"unheard-of\"}]}' where job_id = "
            })
    void aRowThatCannotBeReadKeepsNoOtherFromAnybody(String damage) {
        long good = rest.submit("ada", yaml("good", "research/vision", 1)).id();
        long damaged = rest.submit("ada", yaml("damaged", "research/vision", 1)).id();
        explain(damaged, new Reason.NotYetPlanned());
        jdbc.sql(damage + damaged).update();
        try {
            assertThat(ids(rest.get("ada", "/jobs?user=me&limit=2"))).containsExactly(damaged, good);
            assertThat(rest.get("ada", "/queue").status()).isEqualTo(200);
            assertThat(rest.get("ada", "/overview").status()).isEqualTo(200);
            assertThat(rest.get("ada", "/jobs/groups?by=state").status()).isEqualTo(200);
            String bulk = "{\"action\":\"cancel\",\"jobs\":[%d,%d],\"dryRun\":true}";
            assertThat(rest.post("ada", "/jobs/bulk", bulk.formatted(damaged, good))
                            .status())
                    .isEqualTo(200);
        } finally {
            jdbc.sql("delete from explanation where job_id = ?").param(damaged).update();
            jdbc.sql("update job set submitted_at = now(), shape = '[]', labels = '{}', pool = null where id = ?")
                    .param(damaged)
                    .update();
        }
    }

    /** Its page shows what can be read, and it can still be stopped. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job_document set document = '[]' where job_id = ",
                "update job_document set document = document #- '{filled,groups}' where job_id = ",
                "update job_document set document = document - 'written' where job_id = ",
                "update job_document set document = jsonb_set(document, '{filled,groups,0,replicas}', '-1') where job_id = ",
                "delete from job_document where job_id = "
            })
    void aJobWhoseDocumentCannotBeReadIsShownAndCanBeCancelled(String damage) {
        long id = rest.submit("ada", yaml("damaged", "research/vision", 1)).id();
        String path = "/jobs/" + id;
        jdbc.sql(damage + id).update();

        var shown = rest.get("ada", path);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body().at("/job/name").asString()).isEqualTo("damaged");
        assertThat(shown.body().at("/revision").asInt()).isOne();
        assertThat(shown.body().at("/document").isNull()).isTrue();
        assertThat(shown.body().at("/yaml").isNull()).isTrue();
        assertThat(shown.body().at("/refusals/patch/code").asString()).isEqualTo("unreadable");
        assertThat(shown.body().at("/refusals/priority/sentence").asString()).contains("cannot be read");
        assertThat(rest.get("rob", path).status()).isEqualTo(200);
        assertThat(rest.get("ada", path + "/explanation").status()).isEqualTo(200);
        assertThat(rest.post("ada", path + "/priority", "{\"priority\":\"low\"}")
                        .status())
                .isEqualTo(409);
        assertThat(rest.post("ada", path + "/hold", "{\"why\":\"look\"}").status())
                .isEqualTo(202);
        assertThat(rest.post("ada", path + "/hold", "{\"why\":\"look again\"}").status())
                .isEqualTo(202);
        assertThat(rest.post("ada", path + "/cancel", "{}")
                        .body()
                        .at("/job/state")
                        .asString())
                .isEqualTo("CANCELLED");
    }

    @Test
    void aFailureThatNobodyKnowsIsUnknown() {
        long id = rest.submit("ada", yaml("odd", "research/vision", 1)).id();
        jdbc.sql("update job set failure = 'NONSENSE' where id = ?").param(id).update();
        assertThat(rest.get("ada", "/jobs/" + id).body().at("/failure/failure").asString())
                .isEqualTo("UNKNOWN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "attempts", "checkpoints", "logs"})
    void whatIsTheTeamsOwnDoesNotExistForOthers(String what) {
        long id = rest.submit("ada", yaml("x", "research/vision", 1)).id();
        assertThat(rest.get("rob", "/jobs/" + id + "/" + what).status()).isEqualTo(404);
        assertThat(rest.get("vic", "/jobs/" + id + "/" + what).status()).isEqualTo(200);
        assertThat(rest.get("vic", "/jobs/999999/" + what).status()).isEqualTo(404);
        assertThat(rest.get("vic", "/jobs/0/" + what).status()).isEqualTo(404);
        assertThat(rest.get("vic", "/jobs/nonsense/" + what).status()).isEqualTo(404);
    }

    @Test
    void aParameterThatMakesNoSenseIsNamed() {
        long id = rest.submit("ada", yaml("x", "research/vision", 1)).id();
        for (String list : List.of("/jobs?", "/jobs/groups?by=state&")) {
            var answer = rest.get("ada", list + "inner=banana");
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.body().at("/errors/0/field").asString()).isEqualTo("inner");
            assertThat(answer.body().toString()).doesNotContain("java.lang", "convert");
            assertThat(rest.get("ada", list + "state[99999999]=RUNNING").status())
                    .isLessThan(500);
        }
        assertThat(rest.get("ada", "/jobs/" + id + "/events?after=x")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("after");
    }

    @Test
    void filtersByWhatIsTheTeamsOwnTellOthersNothing() {
        long id = rest.submit("ada", yaml("needle", "research/vision", 1) + "labels: {k: v}\n")
                .id();
        assertThat(ids(rest.get("rob", "/jobs?q=needle"))).isEmpty();
        assertThat(ids(rest.get("rob", "/jobs?user=ada"))).isEmpty();
        assertThat(ids(rest.get("rob", "/jobs?label=k:v"))).isEmpty();
        assertThat(ids(rest.get("vic", "/jobs?q=NEEDLE"))).containsExactly(id);
        assertThat(ids(rest.get("vic", "/jobs?label=k:v"))).containsExactly(id);
        assertThat(ids(rest.get("ada", "/jobs?user=me&q=needle"))).containsExactly(id);
        assertThat(ids(rest.get("root", "/jobs?user=ada&q=needle"))).containsExactly(id);
        assertThat(ids(rest.get("ada", "/jobs?q=" + id))).contains(id);
        assertThat(ids(rest.get("ada", "/jobs?q=%25")))
                .as("a percent sign is itself")
                .isEmpty();
    }

    @Test
    void theReplicaThatFailedFirstIsNamedAsTheLogsTakeIt() {
        long id = rest.submit("ada", yaml("fails", "research/vision", 1)).id();
        jdbc.sql("""
                        insert into attempt (job_id, number, revision, pool, gpu_type, placed_at, failure, first_failing)
                        values (?, 1, 1, 'train', 'H100-SXM', now(), 'USER_ERROR', ?)
                        """).params(id, "j" + id + "-a1-worker-0").update();
        String first = rest.get("ada", "/jobs/" + id + "/attempts")
                .body()
                .path(0)
                .path("firstFailing")
                .asString();
        assertThat(first).isEqualTo("worker-0");
        assertThat(rest.get("ada", "/jobs/" + id + "/logs?attempt=1&replica=" + first)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aListIsCountedByWhatItsJobsHaveInCommon() {
        rest.submit("ada", yaml("counted-1", "research/vision", 2));
        rest.submit("ada", yaml("counted-2", "research/vision", 3));
        rest.submit("rob", yaml("counted-3", "robotics", 1));

        JsonNode byTeam = rest.get("root", "/jobs/groups?by=team&q=counted-").body();
        assertThat(byTeam.valueStream().map(g -> g.path("key").asString()))
                .containsExactly("research/vision", "robotics");
        assertThat(byTeam.get(0).path("jobs").asInt()).isEqualTo(2);
        assertThat(byTeam.get(0).path("waiting").asInt()).isEqualTo(2);
        assertThat(byTeam.get(0).path("gpusWanted").asInt()).isEqualTo(5);
        assertThat(keys("root", "by=state&q=counted-")).containsExactly("QUEUED");
        assertThat(keys("root", "by=priority&q=counted-")).containsExactly("normal");
        assertThat(keys("root", "by=user&q=counted-")).containsExactly("ada", "rob");
        assertThat(rest.get("root", "/jobs/groups?by=colour").fields()).isEqualTo("by");
    }

    @Test
    void whoSubmitsInAnotherTeamIsNotCounted() {
        rest.submit("ada", yaml("own-affair", "research/vision", 1));
        assertThat(keys("rob", "by=user")).doesNotContain("ada");
        assertThat(keys("vic", "by=user")).contains("ada").doesNotContain("rob");
        assertThat(keys("rob", "by=team")).contains("research/vision");
    }

    @Test
    void aTeamIsListedWithTheTeamsInsideItOrWithout() {
        long inside = rest.submit("ada", yaml("inner-1", "research/vision", 1)).id();
        assertThat(ids(rest.get("root", "/jobs?team=research&q=inner-"))).containsExactly(inside);
        assertThat(ids(rest.get("root", "/jobs?team=research&inner=false&q=inner-")))
                .isEmpty();
        assertThat(ids(rest.get("root", "/jobs?team=research/vision&inner=false&q=inner-")))
                .containsExactly(inside);
    }

    private List<String> keys(String user, String query) {
        return rest.get(user, "/jobs/groups?" + query)
                .body()
                .valueStream()
                .map(g -> g.path("key").asString())
                .toList();
    }

    @Test
    void aListFiltersByTeamStateAndPriority() {
        long mine = rest.submit("ada", yaml("f1", "research/vision", 1) + "priority: low\n")
                .id();
        long other = rest.submit("rob", yaml("f2", "robotics", 1)).id();
        assertThat(ids(rest.get("rob", "/jobs?team=research&limit=500")))
                .contains(mine)
                .doesNotContain(other);
        assertThat(ids(rest.get("rob", "/jobs?team=robotics&state=waiting")))
                .contains(other)
                .doesNotContain(mine);
        assertThat(ids(rest.get("ada", "/jobs?priority=low"))).contains(mine).doesNotContain(other);
        assertThat(ids(rest.get("ada", "/jobs?state=active&state=failed"))).isEmpty();
        assertThat(ids(rest.get("ada", "/jobs?team=nowhere"))).isEmpty();
        assertThat(ids(rest.get("ada", "/jobs?user=nobody"))).isEmpty();
        assertThat(rest.get("ada", "/jobs?state=sleeping").fields()).isEqualTo("state");
        assertThat(rest.get("ada", "/jobs?limit=501").fields()).isEqualTo("limit");
        assertThat(rest.get("ada", "/jobs?limit=x").fields()).isEqualTo("limit");
        assertThat(rest.get("ada", "/jobs?cursor=%2F%2F").fields()).isEqualTo("cursor");
        assertThat(rest.get("ada", "/jobs?order=sideways").fields()).isEqualTo("order");
    }

    @Test
    void pagesNeitherRepeatNorMissWhileJobsArrive() {
        TeamId paged = rest.team("paged");
        rest.member("pat", paged, Role.MEMBER);
        List<Long> first = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            first.add(rest.submit("pat", yaml("p", "paged", 1)).id());
        }
        for (String order : List.of("newest", "oldest")) {
            List<Long> seen = new ArrayList<>();
            String cursor = "";
            do {
                Answer page = rest.get("pat", "/jobs?team=paged&limit=5&order=" + order + "&cursor=" + cursor);
                assertThat(page.status()).as(page.raw().body()).isEqualTo(200);
                seen.addAll(ids(page));
                rest.submit("pat", yaml("late", "paged", 1));
                cursor = page.body().path("next").asString("");
            } while (!cursor.isEmpty() && seen.size() < 100);
            assertThat(seen).as(order).containsAll(first).doesNotHaveDuplicates();
        }
    }

    @Test
    void anExplanationSaysWhyWithNamesForThoseWhoMayKnow() {
        long holder =
                rest.submit("ada", yaml("big-secret", "research/vision", 8)).id();
        long waiting =
                rest.submit("rob", yaml("w", "robotics", 8) + "replicas: 4\n").id();
        Holder by = new Holder(new JobId(holder), vision, 8, NOW);
        feasibility.explanations.put(
                new JobId(waiting),
                new Explanation(
                        new JobId(waiting),
                        NOW,
                        List.of(
                                new Reason.Topology(
                                        Ground.POOL,
                                        "rack",
                                        4,
                                        Resources.gpus(8),
                                        new DomainPath(List.of("r1")),
                                        3,
                                        null,
                                        List.of(new NodeGap(new NodeId("n1"), 8, 0, 0, List.of(by)))),
                                new Reason.Capacity(Ground.POOL, 32, null, 28, 0, List.of(by))),
                        2,
                        List.of(new JobId(holder)),
                        NOW.plus(Duration.ofHours(1)),
                        null,
                        List.of(
                                new Remedy.RelaxTopology(null, "rack", 2),
                                new Remedy.RaisePriority("urgent", List.of(new JobId(holder)), 3600))));
        JsonNode why = rest.get("rob", "/jobs/" + waiting + "/explanation").body();
        assertThat(why.path("reasons").path(0).path("sentence").asString())
                .isEqualTo("It needs 4 replicas of 8 GPUs each in one rack; the best one (r1) has room for 3.");
        JsonNode held = why.path("reasons")
                .path(0)
                .path("nodes")
                .path(0)
                .path("holders")
                .path(0);
        assertThat(held.path("job").asLong()).isEqualTo(holder);
        assertThat(held.path("team").asString()).isEqualTo("research/vision");
        assertThat(why.toString()).doesNotContain("big-secret");
        assertThat(rest.get("root", "/jobs/" + waiting + "/explanation").body().toString())
                .contains("big-secret");
        assertThat(why.path("remedies").path(0).path("patch").toString())
                .isEqualTo("{\"topology\":{\"require\":null,\"prefer\":\"rack\"}}");
        assertThat(why.path("remedies").path(0).path("allowed").asBoolean()).isTrue();
        assertThat(why.path("remedies").path(1).path("allowed").asBoolean()).isFalse();
        assertThat(why.path("remedies").path(1).path("needs").asString()).contains("team admins");
    }

    @Test
    void whenTheCoreBreaksTheLastExplanationIsGiven() {
        long id = rest.submit("ada", yaml("x", "research/vision", 1)).id();
        feasibility.broken = true;
        try {
            assertThat(kind(id)).isEqualTo("not-yet-planned");
            explain(id, new Reason.Capacity(Ground.POOL, 8, null, 2, 0, List.of()));
            assertThat(kind(id)).isEqualTo("capacity");
        } finally {
            feasibility.broken = false;
        }
    }

    @Test
    void theQueueStandsInOrderByPool() {
        long a = rest.submit("ada", yaml("q1", "research/vision", 4)).id();
        long b = rest.submit("rob", yaml("q2", "robotics", 2)).id();
        explain(a, new Reason.Order(Ground.POOL, 900_002, 1, 2, List.of(new JobId(b))), 900_002);
        explain(b, new Reason.Capacity(Ground.POOL, 2, null, 0, 0, List.of()), 900_001);
        JsonNode pools = rest.get("rob", "/queue?pool=train").body();
        assertThat(pools.size()).isEqualTo(1);
        List<Long> order = pools.path(0)
                .path("jobs")
                .valueStream()
                .map(j -> j.path("id").asLong())
                .toList();
        assertThat(order).containsSubsequence(b, a);
        assertThat(pools.path(0).path("waitingGpus").asInt()).isGreaterThanOrEqualTo(6);
        assertThat(pools.toString()).doesNotContain("q1");
    }

    @Test
    void unknownPathsAndMethodsAreProblemsToo() {
        assertThat(rest.get("ada", "/nothing-here").status()).isEqualTo(404);
        assertThat(rest.get("ada", "/nothing-here").type()).isEqualTo("not-found");
        assertThat(rest.send("ada", "DELETE", "/jobs", null, null, java.util.Map.of())
                        .status())
                .isEqualTo(405);
    }

    @Test
    void aJobThatDoesNotWaitHasNoExplanation() {
        long id = rest.submit("ada", yaml("x", "research/vision", 1)).id();
        rest.post("ada", "/jobs/" + id + "/cancel", null);
        Answer answer = rest.get("ada", "/jobs/" + id + "/explanation");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.type()).isEqualTo("not-waiting");
    }

    private String kind(long id) {
        return rest.get("ada", "/jobs/" + id + "/explanation")
                .body()
                .path("reasons")
                .path(0)
                .path("kind")
                .asString();
    }

    private void explain(long id, Reason reason) {
        explain(id, reason, 1);
    }

    private void explain(long id, Reason reason, int place) {
        Explanation e = new Explanation(new JobId(id), NOW, List.of(reason), place, List.of(), null, null, List.of());
        jdbc.sql("insert into explanation (job_id, as_of, place, body, digest) values (?, now(), ?, ?::jsonb, '')")
                .params(id, place, ExplanationCodec.toJson(e))
                .update();
    }

    private static List<Long> ids(Answer answer) {
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        return answer.body()
                .path("items")
                .valueStream()
                .map(j -> j.path("id").asLong())
                .toList();
    }
}
