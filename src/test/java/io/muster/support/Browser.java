package io.muster.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Talks to a running server as a browser does (cookies kept, the CSRF cookie sent back as a header) or, with
 * {@link #token}, as a program.
 */
public final class Browser {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String root;
    private final Map<String, String> cookies = new TreeMap<>();
    private @Nullable String token;
    private boolean sendsCsrf = true;

    private Browser(String root) {
        this.root = root;
    }

    public static Browser of(int port) {
        return new Browser("http://localhost:" + port);
    }

    /** A program with an API token. */
    public static Browser of(int port, String token) {
        var program = of(port);
        program.token = token;
        return program;
    }

    /** Signed in; fails when the server refuses. */
    public static Browser signedIn(int port, String username, String password) {
        var browser = of(port);
        browser.get("/api/v1/me");
        var answer = browser.post("/api/v1/session", Map.of("username", username, "password", password));
        if (answer.status() != 200) throw new IllegalStateException(answer.toString());
        return browser;
    }

    /** An answer; {@code body} is null when it is no JSON. */
    public record Answer(int status, JsonNode body, String text, HttpResponse<String> raw) {
        public String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }

        /** The last part of a problem's type. */
        public String problem() {
            String type = body.path("type").asString("");
            return type.substring(type.lastIndexOf('/') + 1);
        }

        @Override
        public String toString() {
            return status + " " + text;
        }
    }

    public Browser withoutCsrf() {
        sendsCsrf = false;
        return this;
    }

    public @Nullable String cookie(String name) {
        return cookies.get(name);
    }

    /** The same cookies in another browser: what a thief has. */
    public Browser copy() {
        var copy = new Browser(root);
        copy.cookies.putAll(cookies);
        return copy;
    }

    public Answer get(String path) {
        return send("GET", path, null, Map.of());
    }

    public Answer post(String path, @Nullable Object body) {
        return send("POST", path, body, Map.of());
    }

    public Answer put(String path, @Nullable Object body, @Nullable String ifMatch) {
        return send("PUT", path, body, ifMatch == null ? Map.of() : Map.of("If-Match", ifMatch));
    }

    public Answer delete(String path) {
        return send("DELETE", path, null, Map.of());
    }

    public Answer send(String method, String path, @Nullable Object body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(root + path));
        request.header("Accept", "application/json, text/html;q=0.5");
        if (body != null && !headers.containsKey("Content-Type")) request.header("Content-Type", "application/json");
        if (token != null) request.header("Authorization", "Bearer " + token);
        if (!cookies.isEmpty()) request.header("Cookie", cookieHeader());
        String csrf = cookies.get("XSRF-TOKEN");
        if (csrf != null && sendsCsrf) request.header("X-XSRF-TOKEN", csrf);
        headers.forEach(request::header);
        request.method(
                method,
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(
                                body instanceof String text ? text : JSON.writeValueAsString(body)));
        try {
            var raw = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            raw.headers().allValues("Set-Cookie").forEach(this::keep);
            return new Answer(raw.statusCode(), json(raw), raw.body(), raw);
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(HttpResponse<String> raw) {
        boolean json = raw.headers().firstValue("Content-Type").orElse("").contains("json");
        return json && !raw.body().isEmpty() ? JSON.readTree(raw.body()) : JSON.missingNode();
    }

    private String cookieHeader() {
        var header = new StringBuilder();
        cookies.forEach((name, value) -> header.append(header.isEmpty() ? "" : "; ")
                .append(name)
                .append('=')
                .append(value));
        return header.toString();
    }

    private void keep(String setCookie) {
        String pair = setCookie.split(";", 2)[0];
        String name = pair.substring(0, pair.indexOf('='));
        String value = pair.substring(pair.indexOf('=') + 1);
        if (value.isEmpty() || setCookie.contains("Max-Age=0")) cookies.remove(name);
        else cookies.put(name, value);
    }
}
