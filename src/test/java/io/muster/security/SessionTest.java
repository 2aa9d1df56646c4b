package io.muster.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.TeamPath;
import io.muster.support.Browser;
import io.muster.support.ServerTest;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TenancyAdmin;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

@ServerTest
@TestPropertySource(properties = "muster.admin-password=first-password-of-all")
class SessionTest {
    private static final String PASSWORD = "correct horse battery";

    @LocalServerPort
    int port;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    Passwords passwords;

    @Autowired
    OneTimeLinks links;

    @Autowired
    JdbcClient jdbc;

    @BeforeEach
    void noThrottle() {
        jdbc.sql("delete from sign_in_throttle").update();
    }

    @Test
    void givenAdminPasswordSignsInAndNeedNotBeChanged() {
        var admin = Browser.signedIn(port, "admin", "first-password-of-all");

        var me = admin.get("/api/v1/me");

        assertThat(me.status()).isEqualTo(200);
        assertThat(me.body().path("platformAdmin").asBoolean()).isTrue();
        assertThat(me.body().path("mustChangePassword").asBoolean()).isFalse();
        assertThat(me.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void sessionCookieIsOutOfReachOfScripts() {
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        var answer = browser.post("/api/v1/session", Map.of("username", "admin", "password", "first-password-of-all"));

        var cookie = answer.raw().headers().allValues("Set-Cookie").stream()
                .filter(c -> c.startsWith("MUSTER_SESSION="))
                .findFirst()
                .orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Lax").doesNotContain("Secure");
    }

    @Test
    void nobodySignedInIsToldSo() {
        var answer = Browser.of(port).get("/api/v1/me");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.problem()).isEqualTo("not-signed-in");
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    }

    @Test
    void writeWithoutTheCsrfHeaderIsRefused() {
        user("csrf");
        var browser = Browser.signedIn(port, "csrf", PASSWORD).withoutCsrf();

        var answer = browser.delete("/api/v1/session");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.problem()).isEqualTo("csrf");
        assertThat(browser.get("/api/v1/me").status()).isEqualTo(200);
    }

    @Test
    void signInWithoutTheCsrfHeaderIsRefusedToo() {
        var browser = Browser.of(port).withoutCsrf();
        browser.get("/api/v1/me");

        var answer = browser.post("/api/v1/session", Map.of("username", "admin", "password", "first-password-of-all"));

        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void wrongPasswordAndUnknownNameGetTheSameAnswer() {
        user("known");
        var browser = Browser.of(port);
        browser.get("/api/v1/me");

        var wrong = browser.post("/api/v1/session", Map.of("username", "known", "password", "not this one"));
        var unknown = browser.post("/api/v1/session", Map.of("username", "unknown", "password", "not this one"));

        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.problem()).isEqualTo("wrong-credentials");
        assertThat(unknown.text()).isEqualTo(wrong.text());
        assertThat(unknown.status()).isEqualTo(wrong.status());
    }

    @Test
    void guessingAnAccountIsSlowedDownWhetherItExistsOrNot() {
        user("guessed");
        for (String name : new String[] {"guessed", "nobody-there"}) {
            var browser = Browser.of(port);
            browser.get("/api/v1/me");
            for (int i = 0; i < 6; i++) {
                assertThat(browser.post("/api/v1/session", Map.of("username", name, "password", "guess " + i))
                                .status())
                        .isEqualTo(401);
            }

            assertThat(throttledFor(name)).as("seconds").isEqualTo(2);
            // However slow this machine is, the time is not over yet.
            jdbc.sql("update sign_in_throttle set blocked_until = now() + interval '1 minute' where subject = ?")
                    .param("user:" + name)
                    .update();

            var blocked = browser.post("/api/v1/session", Map.of("username", name, "password", PASSWORD));

            assertThat(blocked.status()).isEqualTo(429);
            assertThat(Integer.parseInt(blocked.header("Retry-After"))).isBetween(1, 60);
        }
    }

    @Test
    void oneSourceThatTriesManyNamesIsSlowedDown() {
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        int status = 401;
        for (int i = 0; i < 40 && status == 401; i++) {
            status = browser.post("/api/v1/session", Map.of("username", "name" + i, "password", "same password"))
                    .status();
        }

        assertThat(status).isEqualTo(429);
    }

    @Test
    void signOutEndsTheSessionOnTheServer() {
        user("leaver");
        var browser = Browser.signedIn(port, "leaver", PASSWORD);
        var thief = browser.copy();

        assertThat(browser.delete("/api/v1/session").status()).isEqualTo(204);

        assertThat(thief.get("/api/v1/me").status()).isEqualTo(401);
    }

    @Test
    void signInGivesANewSession() {
        user("fixed");
        var browser = Browser.signedIn(port, "fixed", PASSWORD);
        String before = browser.cookie("MUSTER_SESSION");

        browser.post("/api/v1/session", Map.of("username", "fixed", "password", PASSWORD));

        assertThat(browser.cookie("MUSTER_SESSION")).isNotEqualTo(before);
    }

    @Test
    void disabledUserIsOutAtOnce() {
        var person = user("disabled");
        var browser = Browser.signedIn(port, "disabled", PASSWORD);

        principals.disable(null, person.id());

        assertThat(browser.get("/api/v1/me").status()).isEqualTo(401);
        var again = Browser.of(port);
        again.get("/api/v1/me");
        assertThat(again.post("/api/v1/session", Map.of("username", "disabled", "password", PASSWORD))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void nothingElseWorksUntilAMadeUpPasswordIsChanged() {
        var person = tenancy.ensureUser(null, "fresh", "Fresh", false);
        passwords.set(person.id(), "fresh", "made-up-password", true);
        var browser = Browser.signedIn(port, "fresh", "made-up-password");
        var other = Browser.signedIn(port, "fresh", "made-up-password");

        var refused = browser.get("/api/v1/tokens");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem()).isEqualTo("password-change-required");
        assertThat(browser.get("/api/v1/me").body().path("mustChangePassword").asBoolean())
                .isTrue();

        assertThat(change(browser, "wrong-one", PASSWORD).status()).isEqualTo(422);
        assertThat(change(browser, "made-up-password", "short")
                        .body()
                        .path("errors")
                        .get(0)
                        .path("field")
                        .asString())
                .isEqualTo("next");
        assertThat(change(browser, "made-up-password", PASSWORD).status()).isEqualTo(204);

        assertThat(browser.get("/api/v1/me").body().path("mustChangePassword").asBoolean())
                .isFalse();
        assertThat(other.get("/api/v1/me").status()).isEqualTo(401);
    }

    @Test
    void oneTimeLinkSetsAPasswordOnce() {
        var admin = user("link-admin");
        var person = user("forgetful");
        var old = Browser.signedIn(port, "forgetful", PASSWORD);
        String secret = links.make(admin.id(), person).substring("/one-time/".length());
        var browser = Browser.of(port);
        browser.get("/api/v1/me");

        var first = browser.post("/api/v1/one-time-links/" + secret, Map.of("password", "a new long password"));
        var second = browser.post("/api/v1/one-time-links/" + secret, Map.of("password", "another long password"));

        assertThat(first.status()).isEqualTo(204);
        assertThat(second.status()).isEqualTo(404);
        assertThat(old.get("/api/v1/me").status()).isEqualTo(401);
        Browser.signedIn(port, "forgetful", "a new long password");
    }

    @Test
    void pagesCarryAStrictPolicyAndNoCorsHeaders() {
        var answer = Browser.of(port).send("GET", "/api/v1/me", null, Map.of("Origin", "https://evil.example"));

        assertThat(answer.header("Content-Security-Policy"))
                .contains("script-src 'self';")
                .contains("default-src 'none'");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void missingFieldIsNamed() {
        var browser = Browser.of(port);
        browser.get("/api/v1/me");

        var answer = browser.post("/api/v1/session", Map.of("username", "admin"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("errors").get(0).path("field").asString()).isEqualTo("password");
    }

    @Test
    void rolesAreThoseOfNow() {
        var person = user("roles");
        var browser = Browser.signedIn(port, "roles", PASSWORD);
        var team = tenancy.ensureTeam(null, new TeamPath("later"), "Later");

        tenancy.ensureMember(null, team.id(), person.id(), io.muster.model.Role.MEMBER);

        assertThat(browser.get("/api/v1/me")
                        .body()
                        .path("teams")
                        .get(0)
                        .path("path")
                        .asString())
                .isEqualTo("later");
    }

    private long throttledFor(String username) {
        return jdbc.sql("select extract(epoch from blocked_until - last_failure_at)::bigint from sign_in_throttle"
                        + " where subject = ?")
                .param("user:" + username)
                .query(Long.class)
                .single();
    }

    private Browser.Answer change(Browser browser, String current, String next) {
        return browser.put("/api/v1/me/password", Map.of("current", current, "next", next), null);
    }

    private Person user(String name) {
        var person = tenancy.ensureUser(null, name, name, false);
        passwords.set(person.id(), name, PASSWORD, false);
        return person;
    }
}
