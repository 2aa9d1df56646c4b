package io.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.Cause;
import io.muster.job.JobEvents;
import io.muster.job.LogStore;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.security.ApiTokens;
import io.muster.security.TokenScope;
import io.muster.support.Browser;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.SettingsEditor;
import io.muster.tenancy.TeamVolume;
import io.muster.tenancy.TenancyAdmin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A job whose every private part carries a mark, and a walk over all that can be read: whoever is not of the team finds
 * the mark nowhere, whoever is does.
 */
@RestTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedactionTest {
    private static final String MARK = "hushhush";

    @LocalServerPort
    int port;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    SettingsEditor settings;

    @Autowired
    ApiTokens tokens;

    @Autowired
    Ground ground;

    @Autowired
    JobEvents events;

    @Autowired
    LogStore logs;

    @Autowired
    JdbcClient jdbc;

    private final Map<String, String> things = new TreeMap<>();
    private Browser member;
    private Browser foreign;
    private Browser teamless;

    @BeforeAll
    void settle() {
        ground.pool();
        ground.node("n1", "r1");
        TeamId team = tenancy.ensureTeam(null, new TeamPath("quiet"), "Quiet").id();
        TeamId other = tenancy.ensureTeam(null, new TeamPath("loud"), "Loud").id();
        member = person(MARK + "-member", team, Role.TEAM_ADMIN);
        foreign = person("stranger", other, Role.TEAM_ADMIN);
        var lonely = tenancy.ensureUser(null, "lonely", "lonely", false);
        teamless = Browser.of(
                port,
                tokens.create(lonely.id(), lonely.id(), "t", TokenScope.ADMIN, null, Duration.ofHours(1))
                        .secret());
        principals.createServiceAccount(null, team, MARK + "-service");
        settings.setVolume(null, new TeamVolume(team, MARK + "-volume", MARK + "-claim", null, false));
        long job = job();
        run(job);
        things.put("$team", team.value().toString());
        things.put("$path", "quiet");
        things.put("$job", Long.toString(job));
        things.put("$nothing", new UUID(0, 7).toString());
        things.put("$mode", "1");
    }

    private Browser person(String name, TeamId team, Role role) {
        var person = tenancy.ensureUser(null, name, name, false);
        tenancy.ensureMember(null, team, person.id(), role);
        return Browser.of(
                port,
                tokens.create(person.id(), person.id(), "t", TokenScope.ADMIN, null, Duration.ofHours(1))
                        .secret());
    }

    private long job() {
        var answer = member.post(
                "/api/v1/jobs",
                Map.of(
                        "name", MARK + "-name",
                        "team", "quiet",
                        "image", "images.example/" + MARK + ":1",
                        "command", List.of(MARK + "-command"),
                        "workdir", "/" + MARK + "-workdir",
                        "env", Map.of("A", MARK + "-env"),
                        "labels", Map.of(MARK + "-key", MARK + "-label"),
                        "data", List.of(Map.of("volume", MARK + "-volume", "at", "/" + MARK)),
                        "checkpoint", Map.of("by", "api", "path", "/" + MARK + "/ckpt"),
                        "resources", Map.of("gpus", 1, "cpus", 1, "memory", "1Gi")));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.body().path("job").path("id").asLong();
    }

    /** It ran, saved, printed, said how far it is, broke, was asked to yield, and is held. */
    private void run(long job) {
        jdbc.sql("""
                        insert into attempt (job_id, number, revision, pool, gpu_type, placed_at, running_at, ended_at,
                            failure, exit_code, message, first_failing, resume_path, resume_step, step, loss, progress_at,
                            last_checkpoint_at, last_checkpoint_step)
                        values (:job, 1, 1, 'train', 'H100-SXM', now(), now(), now(), 'USER_ERROR', 1, :mark, :mark, :mark, 5, 7,
                            0.123456789, now(), now(), 5)
                        """).param("job", job).param("mark", MARK).update();
        jdbc.sql("""
                        insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes,
                            phase, reason, exit_code, message, phase_at, started_at)
                        values (:job, 1, 'worker', 0, 0, 'n1', 1, 1000, 1, 'RUNNING', :mark, 1, :mark, now(), now())
                        """).param("job", job).param("mark", MARK).update();
        jdbc.sql("insert into checkpoint (job_id, attempt, step, path, bytes, at) values (?, 1, 5, ?, 1, now())")
                .params(job, "/" + MARK + "/step-5")
                .update();
        jdbc.sql(
                        "update job set attempt = 1, state = 'HELD', hold_why = ?, pool = 'train', failure = 'USER_ERROR',"
                                + " failure_message = ?, resume_path = ?, resume_step = 5, first_started_at = now() where id = ?")
                .params(MARK, MARK, MARK, job)
                .update();
        var id = new JobId(job);
        logs.append(List.of(new LogStore.Printed(
                new ReplicaId(new AttemptId(id, 1), "worker", 0), 0, List.of(MARK + "-output"), Instant.now())));
        events.append(id, 1, "checkpoint-saved", Cause.system(MARK, Map.of("path", MARK, "reason", MARK)));
        jdbc.sql("insert into usage_day (day, team_id, principal_id, pool, gpu_seconds)"
                        + " select current_date, team_id, submitted_by, 'train', 3600 from job where id = ?")
                .param(job)
                .update();
    }

    @Test
    void whoIsNotOfTheTeamFindsTheMarkNowhere() {
        assertThat(found(foreign)).isEmpty();
        assertThat(found(teamless)).isEmpty();
    }

    /** Without this, the walk might read nothing at all. */
    @Test
    void whoIsOfTheTeamFindsIt() {
        assertThat(found(member))
                .contains(
                        "GET /api/v1/jobs",
                        "GET /api/v1/jobs/{id}",
                        "GET /api/v1/jobs/{id}/logs",
                        "GET /api/v1/jobs/{id}/events",
                        "GET /api/v1/jobs/{id}/attempts",
                        "GET /api/v1/jobs/{id}/checkpoints",
                        "GET /api/v1/teams/{id}/members",
                        "GET /api/v1/teams/{id}/settings",
                        "GET /api/v1/teams/{id}/service-accounts");
    }

    @Test
    void searchingForItTellsNothing() {
        for (String query : List.of(
                "q=" + MARK,
                "label=" + MARK + "-key:" + MARK + "-label",
                "user=" + MARK + "-member",
                "team=quiet&q=" + MARK)) {
            assertThat(foreign.get("/api/v1/jobs?" + query).text())
                    .as(query)
                    .doesNotContain("\"id\":" + things.get("$job"));
        }
        for (String by : List.of("user", "job", "team", "day")) {
            assertThat(foreign.get("/api/v1/usage?by=" + by).text()).doesNotContain(MARK);
            assertThat(foreign.get("/api/v1/cost?by=" + by).text()).doesNotContain(MARK);
        }
    }

    /** What is asked before a submission plans with other teams' jobs. */
    @Test
    void aPreviewTellsNothing() {
        var answer = foreign.post(
                "/api/v1/jobs/preview",
                Map.of(
                        "name", "mine",
                        "team", "loud",
                        "image", "images.example/mine:1",
                        "command", List.of("true"),
                        "resources", Map.of("gpus", 8, "cpus", 1, "memory", "1Gi")));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).doesNotContain(MARK);
    }

    private List<String> found(Browser browser) {
        var found = new ArrayList<String>();
        for (AccessTable.Row row : AccessTable.rows()) {
            if (!row.method().equals("GET")
                    || row.endpoint().endsWith("/v1/events")
                    || row.endpoint().contains("signals")) {
                continue;
            }
            String path = row.path();
            for (var thing : things.entrySet()) path = path.replace(thing.getKey(), thing.getValue());
            path = path.replace("pool=access", "pool=train")
                    .replace("/pools/access", "/pools/train")
                    .replace("access-n1", "n1");
            var answer = browser.get(path);
            assertThat(answer.status()).as(path).isNotEqualTo(500);
            if (answer.text().contains(MARK)) found.add(row.endpoint());
        }
        return found;
    }
}
