package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.Cause;
import io.muster.job.JobLedger;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.security.ApiTokens;
import io.muster.security.AttemptTokens;
import io.muster.security.TokenScope;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TeamVolume;
import io.muster.tenancy.TenancyAdmin;
import io.muster.web.jobs.RestGround.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a program in a job asks and tells, as it would itself: with its attempt's token. */
@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttemptProgramTest {
    @Autowired
    private RestGround rest;

    @Autowired
    private ApiTokens tokens;

    @Autowired
    private AttemptTokens attempts;

    @Autowired
    private TenancyAdmin tenancy;

    @Autowired
    private PrincipalEditor principals;

    @Autowired
    private JobLedger ledger;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Ground ground;

    @BeforeAll
    void settle() {
        ground.pool();
        ground.node("n1", "r1");
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        tenancy.ensureVolume(null, new TeamVolume(vision, "work", "pvc", null, false));
    }

    @Test
    void aProgramWaitsForTheSignalSavesAndGoesOn() throws Exception {
        String program = running();
        String path = path(program);
        var waits = CompletableFuture.supplyAsync(() -> rest.get(program, path + "/signals?wait=60s"));
        TimeUnit.MILLISECONDS.sleep(300);
        assertThat(rest.post("ada", "/jobs/" + job(program) + "/checkpoint", null)
                        .status())
                .isEqualTo(202);
        Answer signal = waits.get(1, TimeUnit.MINUTES);
        assertThat(signal.status()).isEqualTo(200);
        assertThat(signal.body().path("thenStop").asBoolean()).isFalse();
        String id = signal.body().path("id").asString();

        assertThat(rest.post(
                                program,
                                path + "/checkpoints",
                                "{\"signal\":\"%s\",\"step\":70,\"path\":\"/w/c/70\",\"bytes\":5}".formatted(id))
                        .status())
                .isEqualTo(204);
        var job = rest.get("ada", "/jobs/" + job(program)).body();
        assertThat(job.path("job").path("state").asString()).isEqualTo("RUNNING");
        var saved =
                rest.get("ada", "/jobs/" + job(program) + "/checkpoints").body().path(0);
        assertThat(saved.path("step").asLong()).isEqualTo(70);
        assertThat(saved.path("requested").asBoolean()).isTrue();
        assertThat(rest.get(program, path + "/signals?wait=1s").status()).isEqualTo(204);
    }

    @Test
    void progressIsSeenByTheTeam() {
        String program = running();
        assertThat(rest.post(program, path(program) + "/progress", "{\"step\":3,\"of\":10,\"loss\":0.5}")
                        .status())
                .isEqualTo(204);
        var progress =
                rest.get("ada", "/jobs/" + job(program)).body().path("job").path("progress");
        assertThat(progress.path("step").asLong()).isEqualTo(3);
        assertThat(progress.path("loss").asDouble()).isEqualTo(0.5);
    }

    @Test
    void whatMakesNoSenseIsRefusedByField() {
        String program = running();
        String path = path(program);
        assertThat(rest.post(program, path + "/progress", "{\"step\":-1}").fields())
                .isEqualTo("step");
        assertThat(rest.post(program, path + "/progress", "{}").fields()).isEqualTo("step");
        assertThat(rest.post(program, path + "/checkpoints", "{\"step\":1,\"path\":\"/tmp/x\"}")
                        .fields())
                .isEqualTo("path");
        assertThat(rest.post(program, path + "/checkpoints", "{\"step\":1,\"path\":\"/w/c/../../x\"}")
                        .fields())
                .isEqualTo("path");
        assertThat(rest.get(program, path + "/signals?wait=soon").fields()).isEqualTo("wait");
        assertThat(rest.get(program, path + "/signals?known=nonsense").status()).isEqualTo(422);
    }

    @Test
    void aTokenReachesItsOwnAttemptAlone() {
        String one = running();
        String other = running();
        assertThat(rest.post(one, path(other) + "/finished", null).status()).isEqualTo(404);
        assertThat(rest.get(one, "/jobs").status()).isIn(403, 404);
        assertThat(rest.post("ada", path(one) + "/finished", null).status()).isIn(401, 403, 404);
        assertThat(rest.send(one, "POST", path(one) + "/progress", "application/json", "{\"step\":1}", Map.of())
                        .status())
                .isEqualTo(204);
    }

    @Test
    void aProgramThatIsDoneSaysSoOnce() {
        String program = running();
        assertThat(rest.post(program, path(program) + "/finished", null).status())
                .isEqualTo(204);
        var job = rest.get("ada", "/jobs/" + job(program)).body().path("job");
        assertThat(job.path("state").asString()).isEqualTo("STOPPING");
        assertThat(job.path("after").asString()).isEqualTo("SUCCEEDED");
        ledger.apply(new JobId(job(program)), new LifecycleEvent.PodsGone(), Cause.system("pods-gone"));
        Answer late = rest.post(program, path(program) + "/progress", "{\"step\":4}");
        assertThat(late.status()).isEqualTo(410);
        assertThat(late.type()).isEqualTo("attempt-over");
    }

    /** Whoever submitted it is gone; the work is the team's. */
    @Test
    void aRunningJobGoesOnWhenTheServiceAccountThatSubmittedItIsDisabled() {
        var robot = principals.createServiceAccount(
                null, tenancy.ensureTeam(null, new TeamPath("vision"), "vision").id(), "robot");
        rest.know(
                "robot",
                tokens.create(robot.id(), robot.id(), "t", TokenScope.ADMIN, null, Duration.ofDays(1))
                        .secret());
        String program = running("robot");

        principals.disable(null, robot.id());

        assertThat(rest.get("robot", "/jobs/" + job(program)).status()).isEqualTo(401);
        assertThat(rest.submit("robot", yaml("x", "vision", 1)).status()).isEqualTo(401);
        assertThat(rest.post(program, path(program) + "/progress", "{\"step\":3}")
                        .status())
                .isEqualTo(204);
        assertThat(rest.post(program, path(program) + "/checkpoints", "{\"step\":3,\"path\":\"/w/c/3\"}")
                        .status())
                .isEqualTo(204);
        rest.member(
                "boss",
                tenancy.ensureTeam(null, new TeamPath("vision"), "vision").id(),
                Role.TEAM_ADMIN);
        var seen = rest.get("boss", "/jobs/" + job(program)).body().path("job");
        assertThat(seen.path("state").asString()).isEqualTo("RUNNING");
        assertThat(seen.path("submittedBy").asString()).isEqualTo("robot");
        assertThat(rest.post("boss", "/jobs/" + job(program) + "/cancel", null).status())
                .isEqualTo(202);
    }

    private String running() {
        return running("ada");
    }

    /** A running job; what comes back is the name of its program, as {@link RestGround} knows it. */
    private String running(String user) {
        long id = rest.submit(
                        user,
                        yaml("x", "vision", 1) + "checkpoint: {by: api, path: /w/c}\ndata: [{volume: work, at: /w}]\n")
                .id();
        jdbc.sql("""
                        insert into attempt (job_id, number, revision, pool, gpu_type, placed_at)
                        values (?, 1, 1, 'train', 'H100-SXM', now())
                        """).param(id).update();
        ledger.apply(new JobId(id), new LifecycleEvent.Start(), Cause.system("planned"));
        ledger.apply(new JobId(id), new LifecycleEvent.GangRunning(), Cause.system("gang-running"));
        rest.know("program-" + id, attempts.tokenFor(new AttemptId(new JobId(id), 1)));
        return "program-" + id;
    }

    private static long job(String program) {
        return Long.parseLong(program.substring("program-".length()));
    }

    private static String path(String program) {
        return "/jobs/" + job(program) + "/attempts/1";
    }
}
