package io.muster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.support.Browser;
import io.muster.support.Database;
import io.muster.support.ServerTest;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TenancyAdmin;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/** What is tried at the edges of a server: other people's sessions, odd addresses, forged headers, used links. */
@ServerTest
@ExtendWith(OutputCaptureExtension.class)
@TestPropertySource(properties = "muster.admin-password=first-password-of-all")
class EdgesTest {
    private static final String PASSWORD = "correct horse battery";

    @LocalServerPort
    int port;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    People people;

    @Autowired
    Passwords passwords;

    @Autowired
    OneTimeLinks links;

    @Autowired
    ApiTokens tokens;

    @Autowired
    JdbcClient jdbc;

    @BeforeEach
    void noThrottle() {
        jdbc.sql("delete from sign_in_throttle").update();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/jobs/1", "/api/v1/me", "/api/v1/none", "/assets/none.js", "/actuator/health"})
    void everyAnswerCarriesTheHeadersThatProtectIt(String path) throws IOException {
        Map<String, String> headers = headers(ask("GET " + path + " HTTP/1.1"));

        assertThat(headers).as(path).containsEntry("x-content-type-options", "nosniff");
        assertThat(headers.get("x-frame-options")).isEqualTo("DENY");
        assertThat(headers.get("content-security-policy"))
                .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'")
                .doesNotContain("unsafe-eval", "script-src 'self' 'unsafe-inline'");
        assertThat(headers.get("referrer-policy")).isEqualTo("same-origin");
        assertThat(headers.get("cross-origin-opener-policy")).isEqualTo("same-origin");
        assertThat(headers.get("cross-origin-resource-policy")).isEqualTo("same-origin");
        assertThat(headers).doesNotContainKeys("server", "x-powered-by", "access-control-allow-origin");
        if (path.startsWith("/api/")) {
            assertThat(headers.get("cache-control")).contains("no-store");
        }
    }

    /** Refused before any filter of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/jobs/%00", "/api/v1/jobs/;x=1/..", "/api/v1/a%2fb", "/api/v1/%"})
    void soDoAnswersToWhatIsNoRequest(String path) throws IOException {
        String answer = ask("GET " + path + " HTTP/1.1");

        assertThat(answer).as(path).startsWith("HTTP/1.1 40");
        assertThat(headers(answer))
                .containsEntry("x-content-type-options", "nosniff")
                .containsEntry("x-frame-options", "DENY");
        assertThat(headers(answer).get("content-security-policy")).contains("default-src 'none'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../application.yaml",
                "/..%2fapplication.yaml",
                "/%2e%2e/application.yaml",
                "/assets/../application.yaml",
                "/assets/..%2f..%2fapplication.yaml",
                "/assets/..;/application.yaml",
                "/assets/%252e%252e/application.yaml",
                "/assets//etc/passwd",
                "/application.yaml",
                "/db/migration/V0001__audit.sql",
                "/WEB-INF/web.xml",
                "/api/v1/../../application.yaml"
            })
    void noPathLeadsOutOfWhatIsServed(String path) throws IOException {
        String answer = ask("GET " + path + " HTTP/1.1");

        assertThat(answer).as(path).matches("(?s)HTTP/1.1 (400|401|404) .*");
        assertThat(answer).doesNotContain("spring:", "root:", "create table");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "PROPFIND", "CONNECT", "OPTIONS"})
    void oddMethodsDoNothing(String method) throws IOException {
        String answer = ask(method + " /api/v1/jobs HTTP/1.1", "X-Secret: echo-me");

        assertThat(answer).matches("(?s)HTTP/1.1 (400|401|403|404|405|501) .*").doesNotContain("echo-me");
    }

    @Test
    void aMethodInAHeaderOrAFieldIsNotTheMethod() {
        var admin = Browser.signedIn(port, "admin", "first-password-of-all");
        user("override");

        var answer =
                admin.send("POST", "/api/v1/teams?_method=DELETE", "{}", Map.of("X-HTTP-Method-Override", "DELETE"));

        assertThat(answer.status()).isEqualTo(422);
    }

    @Test
    void aSessionThatSomebodyElseChoseIsNotTakenOver() throws IOException {
        user("victim");
        // Somebody planted a cookie, and knows a session that was given before the sign-in.
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        var first = Browser.signedIn(port, "victim", PASSWORD);
        String planted = String.valueOf(first.cookie("MUSTER_SESSION"));
        first.delete("/api/v1/session");

        String answer = ask(
                "POST /api/v1/session HTTP/1.1",
                "Content-Type: application/json",
                "Cookie: MUSTER_SESSION=" + planted + "; XSRF-TOKEN=" + browser.cookie("XSRF-TOKEN"),
                "X-XSRF-TOKEN: " + browser.cookie("XSRF-TOKEN"),
                "",
                "{\"username\":\"victim\",\"password\":\"" + PASSWORD + "\"}");

        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(answer).contains("Set-Cookie: MUSTER_SESSION=").doesNotContain("MUSTER_SESSION=" + planted);
        assertThat(ask("GET /api/v1/me HTTP/1.1", "Cookie: MUSTER_SESSION=" + planted))
                .startsWith("HTTP/1.1 401");
    }

    /** With forwarded headers off (as shipped), a client cannot say where it comes from. */
    @Test
    void aForgedSourceIsThrottledAllTheSame() {
        int status = 401;
        for (int i = 0; i < 40 && status == 401; i++) {
            var browser = Browser.of(port);
            browser.get("/api/v1/me");
            status = browser.send(
                            "POST",
                            "/api/v1/session",
                            Map.of("username", "forged" + i, "password", "same password"),
                            Map.of("X-Forwarded-For", "203.0.113." + i, "Forwarded", "for=203.0.113." + i))
                    .status();
        }
        assertThat(status).isEqualTo(429);
    }

    @Test
    void changingThePasswordIsThrottledToo() {
        user("guessed-inside");
        var browser = Browser.signedIn(port, "guessed-inside", PASSWORD);
        int status = 422;
        for (int i = 0; i < 12 && status == 422; i++) {
            status = browser.put(
                            "/api/v1/me/password",
                            Map.of("current", "not this one " + i, "next", "another long password"),
                            null)
                    .status();
        }
        assertThat(status).isEqualTo(409);
        assertThat(Browser.of(port).get("/api/v1/me").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "aaaaaaaaaaaaaaaa", "policy-rules", "POLICY-RULES", "abababababababab"})
    void easyPasswordsAreRefused(String password) {
        var person = user("policy-rules");
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        String link =
                "/api/v1/one-time-links/" + links.make(person.id(), person).substring("/one-time/".length());

        assertThat(browser.post(link, Map.of("password", password)).status()).isEqualTo(422);
        assertThat(browser.post(link, Map.of("password", "ä".repeat(37))).status())
                .as("more than the hash looks at")
                .isEqualTo(422);
        assertThat(browser.post(link, Map.of("password", "a good long password"))
                        .status())
                .as("a refused password does not use the link up")
                .isEqualTo(204);
    }

    @Test
    void aLinkIsGoodForOneOfManyAndForThreeDays() throws Exception {
        var person = user("many-clicks");
        String link =
                "/api/v1/one-time-links/" + links.make(person.id(), person).substring("/one-time/".length());
        List<Callable<Integer>> clicks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            var browser = Browser.of(port);
            browser.get("/api/v1/me");
            String password = "a good long password " + i;
            clicks.add(() -> browser.post(link, Map.of("password", password)).status());
        }
        assertThat(atOnce(clicks)).containsOnlyOnce(204).containsOnly(204, 404);

        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        String old = links.make(person.id(), person).substring("/one-time/".length());
        String replaced = old;
        String newer = links.make(person.id(), person).substring("/one-time/".length());
        assertThat(browser.post("/api/v1/one-time-links/" + replaced, Map.of("password", "a good long password"))
                        .status())
                .as("a newer link replaces it")
                .isEqualTo(404);
        assertThat(jdbc.sql("select expires_at < now() + interval '73 hours' from one_time_link where principal_id = ?")
                        .param(person.id().value())
                        .query(Boolean.class)
                        .single())
                .isTrue();
        jdbc.sql("update one_time_link set expires_at = now() where principal_id = ?")
                .param(person.id().value())
                .update();
        assertThat(browser.post("/api/v1/one-time-links/" + newer, Map.of("password", "a good long password"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aLinkOfADisabledUserDoesNothing() {
        var person = user("gone-again");
        String link = links.make(person.id(), person).substring("/one-time/".length());
        principals.disable(null, person.id());
        var browser = Browser.of(port);
        browser.get("/api/v1/me");

        assertThat(browser.post("/api/v1/one-time-links/" + link, Map.of("password", "a good long password"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aServerIsNotStartedWithAnAdminPasswordThatIsEasyToGuess() {
        JdbcClient empty = Database.fresh().jdbc();
        for (String easy : List.of("short", "aaaaaaaaaaaa", "x".repeat(80))) {
            assertThatThrownBy(() -> new FirstAdmin(people, principals, passwords, empty, easy))
                    .as(easy)
                    .hasMessageContaining("MUSTER_ADMIN_PASSWORD");
        }
        assertThat(empty.sql("select count(*) from principal").query(Long.class).single())
                .isZero();
    }

    @Test
    void secretsAreKeptAsHashesOnly() {
        var person = user("hashed");
        String token = tokens.create(person.id(), person.id(), "t", TokenScope.READ, null, Duration.ofDays(1))
                .secret();
        String link = links.make(person.id(), person).substring("/one-time/".length());

        assertThat(token).startsWith("mst_").hasSizeGreaterThan(40);
        assertThat(dump("api_token") + dump("one_time_link") + dump("audit_entry") + dump("identity"))
                .doesNotContain(token)
                .doesNotContain(link)
                .doesNotContain(PASSWORD);
        assertThat(jdbc.sql("select password_hash from identity where subject = 'hashed'")
                        .query(String.class)
                        .single())
                .startsWith("{bcrypt}");
    }

    @Test
    void whatIsSentIsNotWrittenIntoTheLogAsLines(CapturedOutput output) throws IOException {
        ask("GET /api/v1/jobs?q=%0d%0aFORGED%20LINE HTTP/1.1", "X-Request-Id: abc%0d%0aFORGED LINE");
        ask("GET /api/v1/%0d%0aFORGED-LINE HTTP/1.1");
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        browser.post("/api/v1/session", Map.of("username", "x\r\nFORGED LINE", "password", "y\r\nFORGED LINE"));
        var answer = browser.send("GET", "/api/v1/me", null, Map.of("X-Request-Id", "<script>alert(1)</script>"));

        assertThat(output.toString().lines()).noneMatch(line -> line.startsWith("FORGED"));
        assertThat(answer.header("X-Request-Id")).doesNotContain("<");
    }

    @Test
    void aTokenInAnAddressIsNone() {
        var person = user("in-address");
        String token = tokens.create(person.id(), person.id(), "t", TokenScope.ADMIN, null, Duration.ofDays(1))
                .secret();
        for (String name : List.of("token", "access_token", "api_key")) {
            assertThat(Browser.of(port).get("/api/v1/me?" + name + "=" + token).status())
                    .isEqualTo(401);
            assertThat(Browser.of(port)
                            .get("/api/v1/events?" + name + "=" + token)
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void namesInOtherScriptsAndFormsAreNobodyElses() {
        var admin = Browser.signedIn(port, "admin", "first-password-of-all");
        assertThat(admin.post("/api/v1/teams", Map.of("name", "kiwi", "displayName", "Kiwi"))
                        .status())
                .isEqualTo(201);
        // Kelvin sign, full width, dotless and dotted i, soft hyphen, zero width joiner, combining dot, NFD.
        for (String name : List.of(
                "\u212Aiwi",
                "ｋiwi",
                "k\u0131wi",
                "K\u0130WI",
                "ki\u00ADwi",
                "ki\u200Dwi",
                "ki\u0307wi",
                "Kiwi",
                "kiwi ")) {
            assertThat(admin.post("/api/v1/teams", Map.of("name", name, "displayName", "Other"))
                            .status())
                    .as("team " + name)
                    .isEqualTo(422);
            assertThat(admin.post(
                                    "/api/v1/users",
                                    Map.of("username", name, "displayName", "Other", "platformAdmin", false))
                            .status())
                    .as("user " + name)
                    .isEqualTo(422);
        }
        for (String name : List.of("a\u202Eb", "a\u0000b", "a\nb", "a\u2028b", "a\u200Bb", "")) {
            assertThat(admin.post("/api/v1/teams", Map.of("name", "shown", "displayName", name))
                            .status())
                    .as("display name with U+%04X".formatted(name.isEmpty() ? 0 : (int) name.charAt(1)))
                    .isEqualTo(422);
        }
    }

    /** NFC and NFD of a name look the same: both are kept in one form. */
    @Test
    void displayNamesAreKeptInOneForm() {
        var admin = Browser.signedIn(port, "admin", "first-password-of-all");
        admin.post("/api/v1/teams", Map.of("name", "nfd", "displayName", "Ju\u0308rgen"));

        var team = admin.get("/api/v1/teams?path=nfd").body();
        assertThat(team.toString()).contains("J\u00FCrgen");
    }

    @Test
    void theTrailCannotBeRewritten() {
        user("trail");
        var before = dump("audit_entry");
        for (String sql :
                List.of("update audit_entry set actor = null", "delete from audit_entry", "truncate audit_entry")) {
            assertThatThrownBy(() -> jdbc.sql(sql).update()).as(sql).hasMessageContaining("append-only");
        }
        assertThat(dump("audit_entry")).isEqualTo(before);
    }

    @Test
    void whoIsDisabledLosesSessionsTokensAndLinksAndGetsThemBackOnlyPartly() {
        var admin = Browser.signedIn(port, "admin", "first-password-of-all");
        TeamId team = tenancy.ensureTeam(null, new TeamPath("exits"), "Exits").id();
        Person person = user("leaver-of-all");
        tenancy.ensureMember(null, team, person.id(), Role.TEAM_ADMIN);
        var session = Browser.signedIn(port, "leaver-of-all", PASSWORD);
        var program = Browser.of(
                port,
                tokens.create(person.id(), person.id(), "t", TokenScope.ADMIN, null, Duration.ofDays(1))
                        .secret());
        assertThat(session.get("/api/v1/me").status()).isEqualTo(200);
        assertThat(program.get("/api/v1/me").status()).isEqualTo(200);

        assertThat(admin.post("/api/v1/users/leaver-of-all/disable", null).status())
                .isEqualTo(200);

        assertThat(session.get("/api/v1/me").status()).isEqualTo(401);
        assertThat(program.get("/api/v1/me").status()).isEqualTo(401);
        assertThat(jdbc.sql("select count(*) from spring_session where principal_name = ?")
                        .param(person.id().value().toString())
                        .query(Long.class)
                        .single())
                .as("a session that comes back to life when the user is enabled again would be one too many")
                .isZero();
    }

    private String dump(String table) {
        return String.join(
                "\n",
                jdbc.sql("select row_to_json(t)::text from " + table + " t order by 1")
                        .query(String.class)
                        .list());
    }

    private Person user(String name) {
        var person = tenancy.ensureUser(null, name, name, false);
        passwords.set(person.id(), name, PASSWORD, false);
        return person;
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (Future<T> call : threads.invokeAll(calls)) results.add(call.get());
            return results;
        }
    }

    /** Sends what no well-behaved client would; an empty line begins the body. */
    private String ask(String requestLine, String... lines) throws IOException {
        var head = new StringBuilder(requestLine + "\r\nHost: localhost\r\nConnection: close\r\n");
        String body = "";
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].isEmpty()) {
                body = lines[i + 1];
                head.append("Content-Length: ").append(body.length()).append("\r\n");
                break;
            }
            head.append(lines[i]).append("\r\n");
        }
        try (var socket = new Socket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> headers(String answer) {
        var headers = new HashMap<String, String>();
        answer.split("\r\n\r\n", 2)[0].lines().skip(1).forEach(line -> {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                    line.substring(colon + 1).strip());
        });
        return headers;
    }
}
