package io.muster.story;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Speaks REST as a program does: signs in once, makes a token, goes on with the token. */
final class StoryClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String API = "/api/v1";

    private final HttpClient http;
    private final String url;
    private final @Nullable String token;

    private StoryClient(HttpClient http, String url, @Nullable String token) {
        this.http = http;
        this.url = url;
        this.token = token;
    }

    /** An answer, whatever its status; a body that is not JSON reads as null. */
    record Answer(int status, JsonNode body, HttpResponse<String> raw) {
        JsonNode ok() {
            if (status >= 300) {
                throw new AssertionError(
                        raw.request().method() + " " + raw.uri() + " answered " + status + ": " + raw.body());
            }
            return body;
        }
    }

    static StoryClient withToken(String url, String token) {
        // Without the offer of HTTP/2, which the server turns down at every request.
        var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new StoryClient(http, url, token);
    }

    static StoryClient signIn(String url, String username, String password) {
        return signIn(url, username, password, "story");
    }

    /** @param token its name in the list of the user's tokens */
    static StoryClient signIn(String url, String username, String password, String token) {
        var cookies = new CookieManager();
        var session =
                new StoryClient(HttpClient.newBuilder().cookieHandler(cookies).build(), url, null);
        session.send("GET", "/me", null, Map.of());
        session.send("POST", "/session", Map.of("username", username, "password", password), csrf(cookies))
                .ok();
        var created = session.send(
                        "POST", "/tokens", Map.of("name", token, "scope", "ADMIN", "expiresIn", "1d"), csrf(cookies))
                .ok();
        return withToken(url, created.at("/secret").asString());
    }

    private static Map<String, String> csrf(CookieManager cookies) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(c -> c.getName().equals("XSRF-TOKEN"))
                .findFirst()
                .map(c -> Map.of("X-XSRF-TOKEN", c.getValue()))
                .orElse(Map.of());
    }

    String token() {
        return Objects.requireNonNull(token);
    }

    JsonNode get(String path) {
        return send("GET", path, null, Map.of()).ok();
    }

    JsonNode post(String path, @Nullable Object body) {
        return send("POST", path, body, Map.of()).ok();
    }

    JsonNode put(String path, Object body, @Nullable String ifMatch) {
        return send("PUT", path, body, ifMatch == null ? Map.of() : Map.of("If-Match", ifMatch))
                .ok();
    }

    /** A metric as Prometheus reads it, without labels. */
    String metric(String name) {
        var request = HttpRequest.newBuilder(URI.create(url + "/actuator/prometheus"))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return http.send(request, BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .map(line -> line.substring(name.length() + 1))
                    .findFirst()
                    .orElse("none");
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Answer send(String method, String path, @Nullable Object body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(url + API + path)).timeout(Duration.ofSeconds(30));
        var all = new LinkedHashMap<String, String>();
        all.put("Content-Type", "application/json");
        if (token != null) {
            all.put("Authorization", "Bearer " + token);
        }
        all.putAll(headers);
        all.forEach(request::header);
        request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(text(body)));
        try {
            var raw = http.send(request.build(), BodyHandlers.ofString());
            var type = raw.headers().firstValue("Content-Type").orElse("");
            var json = type.contains("json") && !raw.body().isEmpty() ? JSON.readTree(raw.body()) : JSON.nullNode();
            return new Answer(raw.statusCode(), json, raw);
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String text(Object body) {
        return body instanceof String s ? s : JSON.writeValueAsString(body);
    }
}
