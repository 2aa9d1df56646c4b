package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.story.StoryClient.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every operation of the contract is sent garbage: it answers with a problem in plain words, never with a fault of the server. */
class GarbageStoryTest {
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");
    private static final String DEEP = "[".repeat(5000) + "]".repeat(5000);
    private static final List<String> BODIES = List.of(
            "",
            "null",
            "[]",
            "{}",
            "7",
            "\"x\"",
            "{",
            "{\"a\":1}",
            "{\"name\":null,\"why\":null,\"reason\":null,\"priority\":null}",
            "{\"name\":{\"a\":[]},\"why\":7,\"reason\":[],\"jobs\":\"x\",\"guaranteed\":\"many\"}",
            "{\"name\":\"a\\u0000b\",\"why\":\"a\\u0000b\",\"reason\":\"a\\u0000b\",\"displayName\":\"\\u0000\"}",
            "{\"name\":\"\\ud800\",\"displayName\":\"\\ud800\",\"reason\":\"\\ud800\",\"why\":\"\\ud800\"}",
            "{\"guaranteed\":99999999999999999999,\"limit\":-1,\"weight\":1e400,\"value\":1e99,\"by\":1e99}",
            "{\"guaranteed\":-5,\"limit\":2147483648,\"weight\":-1,\"lendable\":-1}",
            "{\"jobs\":[-1,null,\"x\",9223372036854775807,99999999999999999999],\"action\":\"cancel\"}",
            DEEP);
    private static final List<String> WORDS = List.of(
            "nobody",
            "-1",
            "99999999999999999999",
            "1e9",
            "a\u0000b",
            "\u202E",
            "..",
            "%",
            "' or 1=1 --",
            "x".repeat(3000));
    private static final List<String> TAGS = List.of("\"", "*", "W/\"1\"", "\"x\"", "\"99999999999999999999\"", "1, 2");

    private static StoryServer server;
    private static Lab lab;
    private static String job;
    private static String team;

    @BeforeAll
    static void start() {
        server = StoryServer.onVirtual("gpus-32", 1);
        lab = Fleets.pool(new Lab(server)).team("a");
        lab.quota("a", Fleets.POOL, 16);
        lab.await("the fleet is known", () -> lab.admin().get("/nodes").size() == 4);
        job = lab.as("a")
                .post(
                        "/jobs",
                        Map.of(
                                "name",
                                "j",
                                "team",
                                "a",
                                "image",
                                "registry.example/train:1",
                                "resources",
                                Map.of("gpus", 1)))
                .at("/job/id")
                .asString();
        team = lab.admin().get("/teams?path=a").at("/0/id").asString();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Operation(String method, String path, List<String> queries) {
        boolean takesBody() {
            return !method.equals("GET") && !method.equals("DELETE");
        }

        /** What would put an end to what the others are tried on. */
        boolean ends() {
            return path.endsWith("/archive")
                    || path.endsWith("/cancel")
                    || path.endsWith("/disable")
                    || method.equals("DELETE");
        }
    }

    private static List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        JsonNode contract = JsonMapper.builder().build().readTree(Path.of("openapi", "v1.json"));
        for (var path : contract.at("/paths").properties()) {
            String shortened = path.getKey().replaceFirst("^/api/v1", "");
            for (String method : METHODS) {
                var operation = path.getValue().path(method);
                if (!operation.isMissingNode() && !shortened.equals("/events") && !shortened.equals("/session")) {
                    var queries = new ArrayList<String>();
                    for (var parameter : operation.path("parameters")) {
                        if (parameter.path("in").asString().equals("query")) {
                            queries.add(parameter.path("name").asString());
                        }
                    }
                    operations.add(new Operation(method.toUpperCase(java.util.Locale.ROOT), shortened, queries));
                }
            }
        }
        return operations;
    }

    @Test
    void nothingThatIsSentIsAFaultOfTheServer() {
        var faults = new ArrayList<String>();
        int sent = 0;
        for (var operation : operations()) {
            for (String word : WORDS) {
                sent += send(operation, fill(operation.path, w -> word), "{}", Map.of(), faults);
            }
            if (operation.takesBody() && !operation.ends()) {
                for (String body : BODIES) {
                    sent += send(operation, fill(operation.path, GarbageStoryTest::real), body, Map.of(), faults);
                }
                for (String tag : TAGS) {
                    sent += send(
                            operation,
                            fill(operation.path, GarbageStoryTest::real),
                            "{}",
                            Map.of("If-Match", tag, "Idempotency-Key", tag),
                            faults);
                }
            }
            for (String query : operation.queries) {
                for (String word : WORDS) {
                    String path = fill(operation.path, GarbageStoryTest::real) + "?" + query + "=" + encoded(word);
                    sent += operation.ends() ? 0 : send(operation, path, "{}", Map.of(), faults);
                }
            }
        }
        assertThat(sent).isGreaterThan(1500);
        assertThat(faults).as("answers that blame the server, of %d", sent).isEmpty();
        assertThat(lab.admin().get("/jobs/" + job).at("/job/id").asString()).isEqualTo(job);
    }

    private static int send(
            Operation operation, String path, @Nullable String body, Map<String, String> more, List<String> faults) {
        var headers = new LinkedHashMap<>(more);
        if (operation.path.equals("/jobs/{id}") && operation.method.equals("PATCH")) {
            headers.put("Content-Type", "application/merge-patch+json");
        }
        Answer answer = lab.admin().send(operation.method, path, operation.takesBody() ? body : null, headers);
        boolean unsaid = answer.status() >= 400
                && answer.body().path("title").asString("").isEmpty();
        // An address that the web server itself cannot read is refused before there is anybody to say why.
        boolean byTheDoor =
                answer.status() == 400 && path.contains("%00") || path.contains("%25") || path.contains("..");
        String said = answer.raw().body();
        boolean inside = said.contains("Exception") || said.contains("io.muster.") || said.contains("com.fasterxml");
        if (answer.status() >= 500 || inside || unsaid && !byTheDoor) {
            faults.add("%s %s with %s %s: %d %s"
                    .formatted(operation.method, cut(path), cut(body), more, answer.status(), cut(said)));
        }
        return 1;
    }

    private static String cut(@Nullable String text) {
        return text == null ? "" : text.substring(0, Math.min(300, text.length()));
    }

    private static String fill(String path, UnaryOperator<String> value) {
        var filled = new StringBuilder();
        String before = "";
        for (String part : path.substring(1).split("/")) {
            filled.append('/');
            filled.append(part.startsWith("{") ? encoded(value.apply(before + "/" + part)) : part);
            before = part;
        }
        return filled.toString();
    }

    private static String real(String part) {
        return switch (part) {
            case "jobs/{id}" -> job;
            case "teams/{id}" -> team;
            case "pools/{id}", "quotas/{pool}" -> Fleets.POOL;
            case "attempts/{number}" -> "1";
            default -> "nobody";
        };
    }

    private static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
