package io.muster.web.jobs;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.security.ApiTokens;
import io.muster.security.TokenScope;
import io.muster.tenancy.TenancyAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Teams, people with tokens, and a client of the REST interface. A test gets one by {@code @Import(RestGround.class)} and
 * {@code @Autowired}.
 */
final class RestGround {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newHttpClient();
    private final IntSupplier port;
    private final ApiTokens tokens;
    private final TenancyAdmin tenancy;
    private final Map<String, String> secrets = new HashMap<>();

    @Autowired
    RestGround(Environment server, ApiTokens tokens, TenancyAdmin tenancy) {
        // The server listens only after its beans are made.
        this.port = () -> server.getRequiredProperty("local.server.port", Integer.class);
        this.tokens = tokens;
        this.tenancy = tenancy;
    }

    /** An answer with its body as JSON. */
    record Answer(int status, JsonNode body, HttpResponse<String> raw) {
        String type() {
            return body.path("type").asString().replaceAll(".*/", "");
        }

        /** The fields at fault. */
        String fields() {
            return String.join(
                    " ",
                    body.path("errors")
                            .valueStream()
                            .map(e -> e.path("field").asString())
                            .toList());
        }

        long id() {
            return body.path("job").path("id").asLong();
        }
    }

    TeamId team(String path) {
        return tenancy.ensureTeam(null, new TeamPath(path), path).id();
    }

    UserId user(String name, boolean admin) {
        UserId user = tenancy.ensureUser(null, name, name, admin).id();
        secrets.computeIfAbsent(
                name,
                n -> tokens.create(user, user, "test", TokenScope.ADMIN, null, Duration.ofDays(1))
                        .secret());
        return user;
    }

    UserId member(String name, TeamId team, Role role) {
        UserId user = user(name, false);
        tenancy.ensureMember(null, team, user, role);
        return user;
    }

    /** Somebody else with a token of their own. */
    void know(String name, String secret) {
        secrets.put(name, secret);
    }

    String secret(String user) {
        return String.valueOf(secrets.get(user));
    }

    Answer get(String user, String path) {
        return send(user, "GET", path, null, null, Map.of());
    }

    Answer post(String user, String path, @Nullable String json) {
        return send(user, "POST", path, "application/json", json, Map.of());
    }

    Answer submit(String user, String yaml) {
        return send(user, "POST", "/jobs", "application/yaml", yaml, Map.of());
    }

    Answer submit(String user, String yaml, String key) {
        return send(user, "POST", "/jobs", "application/yaml", yaml, Map.of("Idempotency-Key", key));
    }

    Answer patch(String user, long job, String json, Map<String, String> headers) {
        return send(user, "PATCH", "/jobs/" + job, "application/merge-patch+json", json, headers);
    }

    Answer send(
            String user,
            String method,
            String path,
            @Nullable String type,
            @Nullable String body,
            Map<String, String> headers) {
        HttpRequest.Builder request = request(user, path)
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        headers.forEach(request::header);
        try {
            HttpResponse<String> raw = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String text = raw.body();
            JsonNode json = text.isEmpty() || !text.startsWith("{") && !text.startsWith("[")
                    ? JSON.nullNode()
                    : JSON.readTree(text);
            return new Answer(raw.statusCode(), json, raw);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpRequest.Builder request(String user, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getAsInt() + "/api/v1" + path))
                .header("Authorization", "Bearer " + secret(user));
    }

    HttpClient http() {
        return http;
    }

    static String yaml(String name, String team, int gpus) {
        return "name: %s\nteam: %s\nimage: images.example/train:1\nresources: {gpus: %d}\n".formatted(name, team, gpus);
    }
}
