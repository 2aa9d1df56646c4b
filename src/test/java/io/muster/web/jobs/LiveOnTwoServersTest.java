package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.Muster;
import io.muster.job.LogStore;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.security.ApiToken;
import io.muster.security.ApiTokens;
import io.muster.security.Passwords;
import io.muster.security.TokenScope;
import io.muster.support.Browser;
import io.muster.support.Database;
import io.muster.support.Ground;
import io.muster.support.LoopTest;
import io.muster.support.RestTest;
import io.muster.tenancy.MemberEditor;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TenancyAdmin;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Somebody listens on one server; what they may do is changed on another. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveOnTwoServersTest {
    /** It is some 15 s on a quiet machine. */
    private static final Duration SOON = Duration.ofSeconds(90);

    private static final String PASSWORD = "listens on the other";

    private ConfigurableApplicationContext here;
    private ConfigurableApplicationContext there;
    private RestGround rest;
    private TeamId vision;
    private long job;

    @BeforeAll
    void start() {
        var database = Database.fresh();
        here = server(database);
        there = server(database);
        rest = new RestGround(here.getEnvironment(), here.getBean(ApiTokens.class), here.getBean(TenancyAdmin.class));
        here.getBean(Ground.class).pool();
        vision = rest.team("vision");
        rest.member("boss", vision, Role.TEAM_ADMIN);
        job = rest.submit("boss", yaml("hush", "vision", 1)).id();
    }

    @AfterAll
    void stop() {
        here.close();
        there.close();
    }

    private static ConfigurableApplicationContext server(Database database) {
        return new SpringApplicationBuilder(Muster.class, LoopTest.Parts.class, RestTest.Parts.class)
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test database", database.properties())))
                .run(
                        "--server.port=0",
                        "--muster.cycle.enabled=false",
                        "--muster.dispatch.workers=0",
                        "--muster.cluster.type=none",
                        "--spring.quartz.auto-startup=false");
    }

    private static int port(ConfigurableApplicationContext server) {
        return Integer.parseInt(server.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private <T> T here(Class<T> bean) {
        return here.getBean(bean);
    }

    private UserId member(String name) {
        return rest.member(name, vision, Role.MEMBER);
    }

    private HttpRequest.Builder there(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port(there) + "/api/v1" + path))
                .header("Accept", "text/event-stream");
    }

    private SseListener listens(String user, String path) {
        return listensWith(rest.secret(user), path);
    }

    private SseListener listensWith(String token, String path) {
        return SseListener.open(there(path).header("Authorization", "Bearer " + token));
    }

    private SseListener listensSignedIn(String name, UserId user) {
        here(Passwords.class).set(user, name, PASSWORD, false);
        Browser browser = Browser.signedIn(port(here), name, PASSWORD);
        return SseListener.open(
                there("/events").header("Cookie", "MUSTER_SESSION=" + browser.cookie("MUSTER_SESSION")));
    }

    /** Something that only the team may know, again and again: a busy stream has no quiet moment to be asked in. */
    private void whisper(String what) {
        here(JdbcClient.class)
                .sql("insert into job_event (at, job_id, team_id, attempt, kind, why)"
                        + " select now(), id, team_id, 0, 'whisper', ? from job where id = ?")
                .params(what, job)
                .update();
    }

    private void endsSoon(SseListener listener, String secret) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(300)).until(() -> {
            whisper("still busy");
            return listener.ended();
        });
        whisper(secret);
        SseListener other = listens("boss", "/events");
        whisper(secret + " again");
        other.hears(secret + " again");
        assertThat(listener.events()).noneMatch(e -> e.contains(secret));
    }

    @Test
    void aTokenThatIsRevokedElsewhereEndsItsStreamAndNoOther() {
        UserId user = member("ann");
        ApiTokens tokens = here(ApiTokens.class);
        ApiToken.Created other = tokens.create(user, user, "other", TokenScope.READ, null, Duration.ofDays(1));
        SseListener revoked = listensWith(other.secret(), "/events");
        SseListener kept = listens("ann", "/events");
        whisper("both hear");
        revoked.hears("both hear");
        kept.hears("both hear");

        tokens.revoke(user, user, other.token().id());

        endsSoon(revoked, "after the token");
        whisper("one hears");
        kept.hears("one hears");
    }

    @Test
    void aTokenThatExpiresEndsItsStream() {
        UserId user = member("exa");
        ApiToken.Created short_ =
                here(ApiTokens.class).create(user, user, "short", TokenScope.READ, null, Duration.ofDays(1));
        SseListener listener = listensWith(short_.secret(), "/events");
        whisper("in time");
        listener.hears("in time");

        here(JdbcClient.class)
                .sql("update api_token set expires_at = now() where id = ?")
                .param(short_.token().id())
                .update();

        endsSoon(listener, "after its end");
    }

    @Test
    void aUserWhoIsDisabledElsewhereHearsNoMore() {
        UserId user = member("dan");
        SseListener byToken = listens("dan", "/events");
        SseListener bySession = listensSignedIn("dan", user);
        whisper("dan hears");
        byToken.hears("dan hears");
        bySession.hears("dan hears");

        here(PrincipalEditor.class).disable(null, user);

        endsSoon(byToken, "after dan");
        endsSoon(bySession, "after dan");
    }

    @Test
    void aSessionThatEndsElsewhereEndsItsStream() {
        UserId user = member("sue");
        SseListener listener = listensSignedIn("sue", user);
        whisper("sue hears");
        listener.hears("sue hears");

        here(JdbcClient.class)
                .sql("delete from spring_session where principal_name = ?")
                .param(user.value().toString())
                .update();

        endsSoon(listener, "after sue");
    }

    @Test
    void whoLeavesTheTeamElsewhereHearsLessAndItsLogsNoMore() {
        UserId user = member("lea");
        print(0, "before");
        SseListener events = listens("lea", "/events");
        SseListener logs = listens("lea", "/jobs/" + job + "/logs");
        whisper("lea hears");
        events.hears("lea hears");
        logs.hears("before");

        here(MemberEditor.class).remove(null, vision, user);

        await().atMost(SOON).until(logs::ended);
        print(1, "after");
        // The stream of events stays open, for what everybody may know.
        whisper("not for lea");
        rest.post("boss", "/jobs/" + job + "/hold", "{\"why\":\"a secret reason\"}");
        events.hears("\"to\":\"HELD\"");
        rest.post("boss", "/jobs/" + job + "/release", null);
        assertThat(events.ended()).isFalse();
        assertThat(events.events()).noneMatch(e -> e.contains("not for lea") || e.contains("secret reason"));
        assertThat(logs.events()).noneMatch(e -> e.contains("after"));
    }

    @Test
    void whoGetsARoleElsewhereHearsMore() {
        UserId user = rest.user("new", false);
        SseListener events = listens("new", "/events");

        here(MemberEditor.class).set(null, vision, user, Role.VIEWER);

        await().atMost(SOON).pollInterval(Duration.ofMillis(300)).until(() -> {
            whisper("welcome");
            return events.heard("welcome");
        });
    }

    private void print(long line, String text) {
        JdbcClient jdbc = here(JdbcClient.class);
        jdbc.sql("""
                insert into attempt (job_id, number, revision, pool, gpu_type, placed_at)
                values (?, 1, 1, 'train', 'H100-SXM', now()) on conflict do nothing
                """).param(job).update();
        jdbc.sql("""
                insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes,
                    released_at)
                values (?, 1, 'worker', 0, 0, 'n1', 1, 0, 0, now()) on conflict do nothing
                """).param(job).update();
        jdbc.sql("update job set attempt = 1 where id = ?").param(job).update();
        var replica = new ReplicaId(new AttemptId(new JobId(job), 1), "worker", 0);
        here(LogStore.class).append(List.of(new LogStore.Printed(replica, line, List.of(text), Instant.now())));
    }
}
