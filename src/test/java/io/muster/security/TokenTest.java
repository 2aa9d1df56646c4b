package io.muster.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.support.Browser;
import io.muster.support.ServerTest;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TenancyAdmin;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@ServerTest
class TokenTest {
    private static final String PASSWORD = "a password for tokens";

    @LocalServerPort
    int port;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    Passwords passwords;

    @Autowired
    ApiTokens tokens;

    @Autowired
    JdbcClient jdbc;

    @Test
    void tokenIsShownOnceAndKeptAsAHash() {
        var person = user("maker");
        var browser = Browser.signedIn(port, "maker", PASSWORD);

        var made = browser.post("/api/v1/tokens", Map.of("name", "ci", "scope", "READ", "expiresIn", "30d"));

        assertThat(made.status()).isEqualTo(201);
        String secret = made.body().path("secret").asString();
        assertThat(secret).startsWith("mst_").hasSizeGreaterThan(40);
        assertThat(browser.get("/api/v1/tokens").text()).contains("\"ci\"").doesNotContain(secret);
        assertThat(jdbc.sql("select count(*) from api_token where name like ? or prefix = ?")
                        .params("%" + secret + "%", secret)
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(Browser.of(port, secret)
                        .get("/api/v1/me")
                        .body()
                        .path("username")
                        .asString())
                .isEqualTo(person.username());
    }

    @Test
    void expiredTokenIsToldSo() {
        String secret = token(user("expired"), TokenScope.READ, null);
        jdbc.sql("update api_token set expires_at = now() - interval '1 second' where hash = ?")
                .param(Secrets.hash(secret))
                .update();

        var answer = Browser.of(port, secret).get("/api/v1/me");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.problem()).isEqualTo("expired-token");
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }

    @Test
    void revokedAndUnknownTokensAreInvalid() {
        var person = user("revoked");
        String secret = token(person, TokenScope.READ, null);
        tokens.revoke(
                person.id(), person.id(), tokens.list(person.id()).getFirst().id());

        assertThat(Browser.of(port, secret).get("/api/v1/me").problem()).isEqualTo("invalid-token");
        assertThat(Browser.of(port, "mst_guess").get("/api/v1/me").problem()).isEqualTo("invalid-token");
        assertThat(Browser.of(port, "").get("/api/v1/me").status()).isEqualTo(401);
    }

    @Test
    void tokenOfADisabledUserIsInvalid() {
        var person = user("off");
        String secret = token(person, TokenScope.ADMIN, null);

        principals.disable(null, person.id());

        assertThat(Browser.of(port, secret).get("/api/v1/me").status()).isEqualTo(401);
    }

    @Test
    void tokenOfATeamSeesThatTeamAlone() {
        var person = user("narrow");
        TeamId one = team("narrow-one");
        TeamId inner = team("narrow-one/inner");
        TeamId two = team("narrow-two");
        tenancy.ensureMember(null, one, person.id(), Role.TEAM_ADMIN);
        tenancy.ensureMember(null, two, person.id(), Role.TEAM_ADMIN);
        var program = Browser.of(port, token(person, TokenScope.ADMIN, one));

        assertThat(program.get("/api/v1/teams/" + one + "/members").status()).isEqualTo(200);
        assertThat(program.get("/api/v1/teams/" + inner + "/members").status()).isEqualTo(200);
        assertThat(program.get("/api/v1/teams/" + two + "/members").status()).isEqualTo(404);
    }

    @Test
    void submitTokenIsAMemberAtMost() {
        var person = tenancy.ensureUser(null, "boss", "Boss", true);
        var team = team("bosses");
        tenancy.ensureMember(null, team, person.id(), Role.TEAM_ADMIN);

        var me = Browser.of(port, token(person, TokenScope.SUBMIT, null))
                .get("/api/v1/me")
                .body();

        assertThat(me.path("platformAdmin").asBoolean()).isFalse();
        assertThat(me.path("teams").get(0).path("role").asString()).isEqualTo("MEMBER");
    }

    @Test
    void writesByTokenNeedNoCsrfTokenAndIgnoreCookies() {
        var person = user("mixed");
        var team = team("mixed-team");
        tenancy.ensureMember(null, team, person.id(), Role.TEAM_ADMIN);
        var program = Browser.of(port, token(person, TokenScope.ADMIN, null));

        var answer = program.put("/api/v1/teams/" + team + "/members/mixed", Map.of("role", "TEAM_ADMIN"), null);

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void useIsNotedAtMostOnceAMinute() {
        var person = user("used");
        var program = Browser.of(port, token(person, TokenScope.READ, null));
        program.get("/api/v1/me");
        var first = tokens.list(person.id()).getFirst().lastUsedAt();

        program.get("/api/v1/me");

        assertThat(first).isNotNull();
        assertThat(tokens.list(person.id()).getFirst().lastUsedAt()).isEqualTo(first);
    }

    private Person user(String name) {
        var person = tenancy.ensureUser(null, name, name, false);
        passwords.set(person.id(), name, PASSWORD, false);
        return person;
    }

    private TeamId team(String path) {
        return tenancy.ensureTeam(null, new TeamPath(path), path).id();
    }

    private String token(Person owner, TokenScope scope, @Nullable TeamId team) {
        return tokens.create(owner.id(), owner.id(), "test", scope, team, Duration.ofHours(1))
                .secret();
    }
}
