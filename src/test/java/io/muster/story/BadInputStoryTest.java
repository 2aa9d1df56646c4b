package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input is refused with a problem that names the field, and leaves nothing behind. */
class BadInputStoryTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final String BIDI_OVERRIDE = "\u202E";
    private static StoryServer server;
    private static Lab lab;

    @BeforeAll
    static void start() {
        server = StoryServer.onVirtual("gpus-32", 1);
        lab = Fleets.pool(new Lab(server)).team("a").team("b").volume("a", "work");
        lab.quota("a", Fleets.POOL, 16);
        lab.await("the fleet is known", () -> lab.admin().get("/nodes").size() == 4);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<Arguments> documents() {
        return List.of(
                bad("an unknown field", "replicsa", d -> d.put("replicsa", 2)),
                bad("an unknown field inside", "resources.gpu", d -> d.put("resources", Map.of("gpu", 1))),
                bad("a reserved field", "notBefore", d -> d.put("notBefore", "2030-01-01T00:00:00Z")),
                bad("a list for a number", "replicas", d -> d.put("replicas", List.of(1))),
                bad("a word for a number", "resources.gpus", d -> gpus(d, "eight")),
                bad("a number for a text", "name", d -> d.put("name", 7)),
                bad("a fraction of a GPU", "resources.gpus", d -> gpus(d, 0.5)),
                bad("no GPU at all", "resources.gpus", d -> gpus(d, 0)),
                bad("negative GPUs", "resources.gpus", d -> gpus(d, -1)),
                bad("10^9 GPUs", "resources.gpus", d -> gpus(d, 1_000_000_000)),
                bad("more GPUs than a number holds", "resources.gpus", d -> gpus(d, "99999999999999999999")),
                bad("10,000 replicas", "replicas", d -> d.put("replicas", 10_000)),
                bad("no replicas", "replicas", d -> d.put("replicas", 0)),
                bad("NUL in a name", "name", d -> d.put("name", "a\u0000b")),
                bad("bidi characters in a name", "name", d -> d.put("name", "a" + BIDI_OVERRIDE + "b")),
                bad("bidi characters in a label", "labels", d -> d.put("labels", Map.of("project", BIDI_OVERRIDE))),
                bad("no image", "image", d -> d.remove("image")),
                bad("a team of others", "team", d -> d.put("team", "b")),
                bad("a team that is not there", "team", d -> d.put("team", "nobody")),
                bad("a class that only some may use", "priority", d -> d.put("priority", "production")),
                bad("a variable of the platform", "env", d -> d.put("env", Map.of("MUSTER_TOKEN_FILE", "x"))),
                bad("a duration that is none", "walltime", d -> d.put("walltime", "soon")),
                bad("a pool that is not there", "pool", d -> d.put("pool", "gold")),
                bad("a level that is not there", "topology.require", d -> d.put("topology", Map.of("require", "row"))),
                bad("a volume of nobody", "data[0].volume", d -> d.put("data", List.of(mount("mine")))),
                bad(
                        "a checkpoint that goes with the pod",
                        "checkpoint.path",
                        d -> d.put("checkpoint", Map.of("path", "/tmp/ckpt"))));
    }

    private static Arguments bad(String what, String field, Consumer<Map<String, Object>> change) {
        var document = good();
        change.accept(document);
        return Arguments.of(what, field, document);
    }

    private static Map<String, Object> good() {
        var document = new HashMap<String, Object>();
        document.put("name", "good");
        document.put("team", "a");
        document.put("image", "registry.example/train:1");
        document.put("command", List.of("train"));
        document.put("resources", Map.of("gpus", 1));
        return document;
    }

    private static void gpus(Map<String, Object> document, Object gpus) {
        document.put("resources", Map.of("gpus", gpus));
    }

    private static Map<String, Object> mount(String volume) {
        return Map.of("volume", volume, "at", "/data");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    void aBadDocumentIsRefusedByItsField(String what, String field, Map<String, Object> document) {
        refused(document, Map.of(), field);
    }

    @Test
    void anEnvironmentOfAMebibyteIsRefused() {
        var document = good();
        document.put("env", Map.of("BIG", "x".repeat(MEBIBYTE)));
        var answer = storesNothing(() -> lab.as("a").send("POST", "/jobs", document, Map.of()));
        assertThat(answer.status()).isEqualTo(413);
        problem(answer, "too-large");

        var within = good();
        within.put("env", Map.of("BIG", "x".repeat(MEBIBYTE / 5)));
        refused(within, Map.of(), "env");
    }

    @Test
    void aJobThatCouldNeverFitIsToldTheLargestThatCould() {
        var document = good();
        document.put("replicas", 5);
        gpus(document, 8);
        var answer = refused(document, Map.of(), "replicas");
        problem(answer, "never-fits");
        assertThat(answer.body().at("/reasons/0/largestGpus").asInt()).isEqualTo(32);
        assertThat(answer.body().at("/errors/0/message").asString()).contains("32");
    }

    @ParameterizedTest
    @CsvSource({"cpus,4096", "memory,100Ti"})
    void whatStandsBesideTheGpusIsNamedWhenNoNodeHasIt(String what, String amount) {
        var document = good();
        document.put("resources", Map.of("gpus", 1, what, amount));
        var answer = refused(document, Map.of(), "resources." + what);
        problem(answer, "never-fits");
        assertThat(answer.body().at("/errors/0/message").asString()).contains(amount);
    }

    @Test
    void aKnownGpuTypeThatNoNodeHasIsNamed() {
        var document = good();
        document.put("gpu", Map.of("types", List.of("T4")));
        var answer = refused(document, Map.of(), "gpu.types");
        problem(answer, "never-fits");
        assertThat(answer.body().at("/errors/0/message").asString()).contains("T4");
    }

    @Test
    void malformedYamlIsRefusedWithItsLineAndColumn() {
        var answer = refused("name: a\nteam: [a\nimage: x\n", Map.of("Content-Type", "application/yaml"), null);
        problem(answer, "malformed");
        var error = answer.body().at("/errors/0");
        assertThat(error.at("/line").asInt()).isBetween(2, 3);
        assertThat(error.at("/column").asInt()).isPositive();
    }

    @Test
    void malformedJsonIsRefusedWithItsLineAndColumn() {
        var answer = refused("{\"name\": \"a\",\n \"team\" \"a\"}", Map.of(), null);
        problem(answer, "malformed");
        assertThat(answer.body().at("/errors/0/line").asInt()).isEqualTo(2);
        assertThat(answer.body().at("/errors/0/column").asInt()).isPositive();
    }

    @Test
    void aWrongTypeInYamlIsRefusedWithItsPlace() {
        var yaml = "name: a\nteam: a\nimage: x/y:1\ncommand: [train]\nresources:\n  gpus: many\n";
        var answer = refused(yaml, Map.of("Content-Type", "application/yaml"), "resources.gpus");
        assertThat(answer.body().at("/errors/0/line").asInt()).isEqualTo(6);
    }

    @Test
    void aBombOfYamlAliasesIsRefusedUnopened() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            var one = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", List.of(one, one, one, one, one, one))));
        }
        // Blown up it would be a billion nodes: who tried would not answer within the client's 30 s.
        refused(bomb.toString(), Map.of("Content-Type", "application/yaml"), null);
    }

    @Test
    void anIdempotencyKeyIsGoodForOneDocument() {
        var key = Map.of("Idempotency-Key", "once");
        var document = good();
        var first = lab.as("a").send("POST", "/jobs", document, key);
        assertThat(first.status()).isEqualTo(201);
        var again = lab.as("a").send("POST", "/jobs", document, key);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body().at("/job/id")).isEqualTo(first.body().at("/job/id"));

        var other = good();
        other.put("name", "other");
        var answer = refused(other, key, "Idempotency-Key");
        problem(answer, "idempotency-key-reused");
    }

    @Test
    void aStaleEditIsRefused() {
        var team = lab.teamId("b");
        var path = "/teams/" + team + "/quotas/" + Fleets.POOL;
        lab.admin().put(path, Map.of("guaranteed", 1, "weight", 1), "\"0\"");

        var stale = lab.admin().send("PUT", path, Map.of("guaranteed", 9, "weight", 1), Map.of("If-Match", "\"0\""));
        assertThat(stale.status()).isEqualTo(412);
        problem(stale, "stale");
        var none = lab.admin().send("PUT", path, Map.of("guaranteed", 9, "weight", 1), Map.of());
        assertThat(none.status()).isEqualTo(428);
        assertThat(lab.admin().get("/teams/" + team).at("/quotas/0/guaranteed").asInt())
                .isEqualTo(1);
    }

    @Test
    void aStaleChangeOfAWaitingJobIsRefused() {
        var document = good();
        document.put("replicas", 4);
        gpus(document, 8);
        lab.as("a").post("/jobs", document); // fills the fleet
        long waiting = lab.as("a").post("/jobs", document).at("/job/id").asLong();
        var path = "/jobs/" + waiting;
        var tag = Map.of("If-Match", "\"1\"", "Content-Type", "application/merge-patch+json");
        assertThat(lab.as("a")
                        .send("PATCH", path, Map.of("name", "second"), tag)
                        .status())
                .isEqualTo(200);

        var stale = lab.as("a").send("PATCH", path, Map.of("name", "third"), tag);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(lab.as("a").get(path).at("/job/name").asString()).isEqualTo("second");
    }

    @Test
    void anExpiredOrForgedTokenIsWorthNothing() {
        var expiring = StoryClient.signIn(server.url(), Lab.userOf("a"), RunningServer.PASSWORD, "expiring");
        assertThat(expiring.send("GET", "/me", null, Map.of()).status()).isEqualTo(200);
        server.database()
                .jdbc()
                .sql("update api_token set expires_at = now() - interval '1 second' where name = 'expiring'")
                .update();
        nobody(expiring);
        nobody(StoryClient.withToken(server.url(), "mst_" + "0".repeat(43)));
        nobody(StoryClient.withToken(server.url(), "nonsense"));
    }

    private static void nobody(StoryClient client) {
        var answer = storesNothing(() -> client.send("POST", "/jobs", good(), Map.of()));
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body().at("/type").asString()).isNotBlank();
    }

    /** A 4xx problem that names {@code field}, the same for a preview, and nothing stored. */
    private static StoryClient.Answer refused(Object document, Map<String, String> headers, @Nullable String field) {
        var answer = storesNothing(() -> lab.as("a").send("POST", "/jobs", document, headers));
        assertThat(answer.status()).as(answer.raw().body()).isBetween(400, 499);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.body().at("/title").asString()).isNotBlank();
        if (field != null) {
            assertThat(answer.body()
                            .at("/errors")
                            .valueStream()
                            .map(e -> e.at("/field").asString()))
                    .as(answer.raw().body())
                    .anySatisfy(named -> assertThat(named).startsWith(field));
        }
        return answer;
    }

    private static void problem(StoryClient.Answer answer, String slug) {
        assertThat(answer.body().at("/type").asString()).endsWith("/" + slug);
    }

    private static StoryClient.Answer storesNothing(Supplier<StoryClient.Answer> request) {
        var before = stored();
        var answer = request.get();
        assertThat(stored()).as("rows before and after").isEqualTo(before);
        return answer;
    }

    private static List<Long> stored() {
        return List.of("job", "job_document", "idempotency_key").stream()
                .map(table -> server.database()
                        .jdbc()
                        .sql("select count(*) from " + table)
                        .query(Long.class)
                        .single())
                .toList();
    }
}
