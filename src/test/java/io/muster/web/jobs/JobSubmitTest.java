package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.support.ScriptedFeasibility;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TeamVolume;
import io.muster.tenancy.TenancyAdmin;
import io.muster.web.jobs.RestGround.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobSubmitTest {
    private static final String BASE = yaml("x", "research/vision", 1);

    @Autowired
    private RestGround rest;

    @Autowired
    private TenancyAdmin tenancy;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Ground ground;

    @Autowired
    private ScriptedFeasibility feasibility;

    @BeforeAll
    void settle() {
        ground.pool();
        ground.node("n1", "r1");
        TeamId research = rest.team("research");
        TeamId vision = rest.team("research/vision");
        rest.team("robotics");
        rest.member("ada", vision, Role.MEMBER);
        rest.member("eve", vision, Role.VIEWER);
        rest.member("adam", vision, Role.TEAM_ADMIN);
        tenancy.ensureQuota(null, new TeamQuota(research, Ground.POOL, 16, null, null, 1));
        tenancy.ensureQuota(null, new TeamQuota(vision, Ground.POOL, 16, null, null, 1));
        tenancy.ensureVolume(null, new TeamVolume(vision, "vision-work", "pvc-1", null, false));
        tenancy.ensureVolume(null, new TeamVolume(vision, "imagenet", "pvc-2", null, true));
        tenancy.ensureDefaults(
                null,
                vision,
                new TeamDefaults(
                        8000L,
                        64L << 30,
                        1L << 30,
                        Duration.ofHours(4),
                        Duration.ofHours(24),
                        List.of("images.example", "docker.io/pytorch"),
                        null,
                        null));
    }

    @BeforeEach
    void reset() {
        feasibility.largest = 4096;
    }

    @Test
    void aDocumentBecomesAQueuedJob() {
        Answer answer = rest.submit("ada", """
                # a comment
                name: llama
                team: research/vision
                image: images.example/train:1.4
                command: |
                  set -e
                  torchrun train.py
                replicas: 4
                resources: {gpus: 8}
                checkpoint: {by: api, path: /vision/ckpt}
                data: [{volume: imagenet, at: /data}, {volume: vision-work, at: /vision}]
                """);
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
        assertThat(answer.raw().headers().firstValue("Location")).contains("/api/v1/jobs/" + answer.id());
        assertThat(answer.raw().headers().firstValue("ETag")).contains("\"1\"");
        var job = answer.body().path("job");
        assertThat(job.path("state").asString()).isEqualTo("QUEUED");
        assertThat(job.path("gpus").asInt()).isEqualTo(32);
        assertThat(job.path("shape").toString()).isEqualTo("[{\"group\":\"worker\",\"replicas\":4,\"gpusEach\":8}]");
        assertThat(job.path("headline").path("kind").asString()).isEqualTo("not-yet-planned");
        assertThat(answer.body().path("yaml").asString())
                .contains("resources: {gpus: 8}")
                .contains("command: |");
        assertThat(answer.body().path("document").path("replicas").asInt()).isEqualTo(4);
        var effective = answer.body().path("effective");
        assertThat(effective.path("resources").path("cpus").asInt()).isEqualTo(64);
        assertThat(effective.path("resources").path("memory").asString()).isEqualTo("512Gi");
        assertThat(effective.path("walltime").asString()).isEqualTo("4h");
        assertThat(effective.path("data").path(0).path("readOnly").asBoolean()).isTrue();
        assertThat(rest.get("ada", "/jobs/" + answer.id() + "/events")
                        .body()
                        .path("items")
                        .path(0)
                        .path("why")
                        .asString())
                .isEqualTo("submitted");
    }

    @Test
    void anElasticJobSaysHowFewReplicasItWorksWith() {
        Answer answer = rest.submit("ada", BASE + "replicas: 4\nelastic: {min: 2}\n");
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
        var job = answer.body().path("job");
        assertThat(job.path("replicas").asInt()).isEqualTo(4);
        assertThat(job.path("minReplicas").asInt()).isEqualTo(2);
        assertThat(job.path("replicasNow").isNull()).isTrue();
        assertThat(answer.body().path("effective").path("elastic").toString()).isEqualTo("{\"min\":2}");
        var read = rest.get("ada", "/jobs/" + answer.id()).body();
        assertThat(read.path("job")).isEqualTo(job);
        assertThat(read.path("yaml").asString()).contains("elastic: {min: 2}");
        assertThat(rest.submit("ada", BASE + "replicas: 4\n")
                        .body()
                        .path("job")
                        .path("minReplicas")
                        .isNull())
                .isTrue();
        Answer firm = rest.submit("ada", BASE + "preemptible: false\nreplicas: 17\nelastic: {min: 16}\n");
        assertThat(firm.status()).as("its fewest replicas fit the guarantee").isEqualTo(201);
    }

    static Stream<Arguments> badDocuments() {
        return Stream.of(
                bad(BASE + "gpuz: 1\n", 422, "gpuz"),
                bad(BASE + "elastic: {min: 2}\n", 422, "elastic.min"),
                bad(BASE + "replicas: 10000\n", 422, "replicas"),
                bad(BASE + "replicas: many\n", 422, "replicas"),
                bad(yaml("x", "research/vision", -1), 422, "resources.gpus"),
                bad(yaml("x", "research/vision", 1_000_000_000), 422, "resources.gpus"),
                bad(yaml("x", "robotics", 1), 422, "team"),
                bad(yaml("x", "research", 1), 422, "team"),
                bad(yaml("x", "nowhere", 1), 422, "team"),
                bad(yaml("x\u202Ey", "research/vision", 1), 422, "name"),
                bad(yaml("\"x\\0y\"", "research/vision", 1), 422, "name"),
                bad(BASE + "env: {A: \"" + "x".repeat(100_000) + "\"}\n", 422, "env"),
                bad(BASE + "priority: urgent\n", 422, "priority"),
                bad(BASE + "priority: production\n", 422, "priority"),
                bad(BASE + "priority: sky\n", 422, "priority"),
                bad(BASE.replace("images.example", "evil.example/images.example"), 422, "image"),
                bad(BASE.replace("images.example/train:1", "images.example.evil/train"), 422, "image"),
                bad(BASE + "groups: [{name: a, image: evil.example/x, replicas: 2}]\n", 422, "groups[0].image"),
                bad(BASE + "pool: moon\n", 422, "pool"),
                bad(BASE + "gpu: {types: [H100-SXM, T1000]}\n", 422, "gpu.types[1]"),
                bad(BASE + "gpu: {memory: 500GB}\n", 422, "gpu.memory"),
                bad(BASE + "topology: {require: galaxy}\n", 422, "topology.require"),
                bad(BASE + "topology: {require: node, prefer: rack}\n", 422, "topology.prefer"),
                bad(BASE + "replicas: 4\ntopology: {slices: {size: 2, level: galaxy}}\n", 422, "topology.slices.level"),
                bad(BASE + "replicas: 4\ntopology: {slices: {size: 3, level: rack}}\n", 422, "topology.slices.size"),
                bad(
                        BASE + "replicas: 4\ntopology: {require: node, slices: {size: 2, level: rack}}\n",
                        422,
                        "topology.slices.level"),
                bad(
                        BASE + "topology: {slices: {size: 2, level: rack}}\ngroups: [{name: a, replicas: 2}]\n",
                        422,
                        "topology.slices"),
                bad(
                        BASE + "groups: [{name: a, replicas: 2, slices: {size: 2, level: galaxy}}]\n",
                        422,
                        "groups[0].slices.level"),
                bad(BASE + "walltime: 30h\n", 422, "walltime"),
                bad(BASE + "checkpoint: {grace: 31m}\n", 422, "checkpoint.grace"),
                bad(BASE + "checkpoint: {path: /tmp/ckpt}\n", 422, "checkpoint.path"),
                bad(BASE + "checkpoint: {path: /s/ckpt}\ndata: [{scratch: 1Gi, at: /s}]\n", 422, "checkpoint.path"),
                bad(BASE + "checkpoint: {path: /d/ckpt}\ndata: [{volume: imagenet, at: /d}]\n", 422, "checkpoint.path"),
                bad(BASE + "data: [{volume: secrets-of-others, at: /d}]\n", 422, "data[0].volume"),
                bad(BASE + "data: [{volume: imagenet, at: /d, readOnly: false}]\n", 422, "data[0].readOnly"),
                bad(BASE + "preemptible: false\nreplicas: 17\n", 422, "preemptible"),
                bad("name: x\n  team: [\n", 400, ""),
                bad("a: &a [x,x,x,x,x,x,x,x,x,x]\n" + bomb(), 400, ""),
                bad("name: !!java.util.Date x\n", 400, ""),
                bad("x".repeat(300_000), 413, ""),
                bad("", 400, ""));
    }

    private static String bomb() {
        StringBuilder text = new StringBuilder();
        for (char c = 'b'; c < 'm'; c++) {
            String before = "*" + (char) (c - 1) + ",";
            text.append("%c: &%c [%s]\n".formatted(c, c, before.repeat(10)));
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("badDocuments")
    void badInputIsRefusedByFieldAndNothingIsStored(String yaml, int status, String field) {
        long before = jobs();
        Answer answer = rest.submit("ada", yaml, "bad-" + yaml.hashCode());
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(status);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.body().path("type").asString()).startsWith("https://muster.dev/problems/");
        assertThat(answer.fields()).isEqualTo(field);
        assertThat(jobs()).isEqualTo(before);
        assertThat(jdbc.sql("select count(*) from idempotency_key where key like 'bad-%'")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void brokenYamlNamesLineAndColumn() {
        Answer answer = rest.submit("ada", "name: x\nteam: 'y\n");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("malformed");
        assertThat(answer.body().path("errors").path(0).path("line").asInt()).isGreaterThan(1);
        assertThat(answer.body().path("errors").path(0).path("column").asInt()).isPositive();
    }

    @Test
    void whatCouldNeverFitSaysTheLargestThatCould() {
        feasibility.largest = 24;
        Answer answer = rest.submit("ada", BASE + "replicas: 25\n");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.type()).isEqualTo("never-fits");
        assertThat(answer.fields()).isEqualTo("replicas");
        assertThat(answer.body().path("reasons").path(0).path("largestGpus").asInt())
                .isEqualTo(24);
        assertThat(answer.body().path("detail").asString()).contains("24");
    }

    @Test
    void classesAreForThoseWhoMayUseThem() {
        assertThat(rest.submit("adam", BASE + "priority: urgent\n").status()).isEqualTo(201);
        assertThat(rest.submit("adam", BASE + "priority: production\n").status())
                .isEqualTo(422);
        assertThat(rest.submit("eve", BASE).fields()).isEqualTo("team");
    }

    @Test
    void otherKindsOfBodiesAreNotUnderstood() {
        Answer answer = rest.send("ada", "POST", "/jobs", "text/plain", BASE, Map.of());
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.type()).isEqualTo("unsupported-media-type");
    }

    @Test
    void theSameKeyAndBodyGiveTheSameJob() {
        Answer first = rest.submit("ada", BASE, "k1");
        Answer again = rest.submit("ada", BASE, "k1");
        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.raw().headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(rest.submit("adam", BASE, "k1").id())
                .as("keys are each user's own")
                .isNotEqualTo(first.id());
    }

    @Test
    void aKeyIsNotForAnotherBody() {
        Answer first = rest.submit("ada", BASE, "k2");
        Answer other = rest.submit("ada", BASE + "replicas: 2\n", "k2");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.type()).isEqualTo("idempotency-key-reused");
        assertThat(other.body().path("detail").asString()).contains(Long.toString(first.id()));
        assertThat(rest.submit("ada", BASE, "x".repeat(256)).fields()).isEqualTo("Idempotency-Key");
    }

    @Test
    void manyAtOnceWithOneKeyMakeOneJob() throws Exception {
        long before = jobs();
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String key = "race-" + i % 3;
            calls.add(() -> rest.submit("ada", BASE, key));
        }
        Set<Long> ids = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            for (Future<Answer> each : threads.invokeAll(calls)) {
                assertThat(each.get().status()).as(each.get().raw().body()).isEqualTo(201);
                ids.add(each.get().id());
            }
        }
        assertThat(ids).hasSize(3);
        assertThat(jobs()).isEqualTo(before + 3);
    }

    @Test
    void waitingJobsOfAUserAreCapped() {
        TeamId capped = rest.team("capped");
        rest.member("cap", capped, Role.MEMBER);
        tenancy.ensureDefaults(null, capped, new TeamDefaults(null, null, null, null, null, List.of(), null, 2));
        assertThat(rest.submit("cap", yaml("a", "capped", 1)).status()).isEqualTo(201);
        assertThat(rest.submit("cap", yaml("b", "capped", 1), "again").status()).isEqualTo(201);
        Answer third = rest.submit("cap", yaml("c", "capped", 1));
        assertThat(third.status()).isEqualTo(422);
        assertThat(third.body().path("errors").path(0).path("code").asString()).isEqualTo("user-queue-cap");
        assertThat(rest.submit("cap", yaml("b", "capped", 1), "again").status())
                .as("a repeated request is no new job")
                .isEqualTo(201);
    }

    @Test
    void aPreviewStoresNothingAndSaysTheCost() {
        long before = jobs();
        feasibility.outlook = new io.muster.job.Feasibility.Outlook(
                true, Ground.POOL, Ground.H100, null, List.of(), List.of(), 0, List.of(), 1, null);
        Answer answer =
                rest.send("ada", "POST", "/jobs/preview", "application/yaml", BASE + "walltime: 2h\n", Map.of());
        feasibility.outlook = null;
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        assertThat(answer.body().path("outcome").asString()).isEqualTo("starts-now");
        assertThat(answer.body().path("costMicros").asLong()).isEqualTo(7_200_000);
        Answer waits = rest.send("ada", "POST", "/jobs/preview", "application/yaml", BASE, Map.of());
        assertThat(waits.body().path("outcome").asString()).isEqualTo("waits");
        assertThat(waits.body().path("reasons").path(0).path("kind").asString())
                .isEqualTo(new Reason.NotYetPlanned().kind());
        assertThat(jobs()).isEqualTo(before);
    }

    /** Bytes that are changed at random never break the server, and are answered at once. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void garbageIsAnswered(long seed) {
        Random dice = new Random(seed);
        String full = """
                {"name":"x","team":"research/vision","image":"images.example/a","command":["a","b"],"env":{"A":"b"},
                "replicas":2,"resources":{"gpus":1,"cpus":"1.5","memory":"1Gi"},"topology":{"require":"rack"},
                "walltime":"1h","checkpoint":{"by":"api","path":"/v/c"},"data":[{"volume":"vision-work","at":"/v"}],
                "labels":{"a":"b"},"retry":{"onFailure":1},"gpu":{"types":["H100-SXM"]}}
                """;
        String[] values = {
            "null", "-1", "1e999", "\"\\u0000\"", "[]", "{}", "true", "99999999999999999999", "\"\"", "0.1"
        };
        for (int i = 0; i < 60; i++) {
            StringBuilder text = new StringBuilder(full);
            for (int n = 1 + dice.nextInt(3); n > 0; n--) {
                int at = dice.nextInt(text.length());
                switch (dice.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.setCharAt(at, (char) (1 + dice.nextInt(0x2FF)));
                    default -> {
                        int colon = text.indexOf(":", at);
                        int end = colon < 0 ? -1 : text.indexOf(",", colon);
                        if (end > 0) {
                            text.replace(colon + 1, end, values[dice.nextInt(values.length)]);
                        }
                    }
                }
            }
            String type = dice.nextBoolean() ? "application/json" : "application/yaml";
            Answer answer = rest.send("ada", "POST", "/jobs", type, text.toString(), Map.of());
            assertThat(answer.status()).as(text.toString()).isLessThan(500);
        }
    }

    private long jobs() {
        return jdbc.sql("select count(*) from job").query(Long.class).single();
    }

    private static Arguments bad(String yaml, int status, String field) {
        return Arguments.of(yaml, status, field);
    }
}
