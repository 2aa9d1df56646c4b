package io.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.inventory.NodeReport;
import io.muster.inventory.NodeReports;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.security.Passwords;
import io.muster.support.Browser;
import io.muster.support.Browser.Answer;
import io.muster.support.ServerTest;
import io.muster.tenancy.Person;
import io.muster.tenancy.TenancyAdmin;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/** What admins do over REST, and what is written down of it. */
@ServerTest
@TestPropertySource(properties = "muster.admin-password=platform-admin-password")
class PlatformRestTest {
    private static final String PASSWORD = "a password of a user";
    private static Browser root = Browser.of(0);

    @LocalServerPort
    int port;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    Passwords passwords;

    @Autowired
    NodeReports nodes;

    @Autowired
    JdbcClient jdbc;

    @BeforeEach
    void signIn() {
        if (root.cookie("MUSTER_SESSION") == null) root = Browser.signedIn(port, "admin", "platform-admin-password");
    }

    @Test
    void teamIsMadeRenamedAndArchived() {
        var made = root.post("/api/v1/teams", Map.of("name", "made", "displayName", "Made"));
        assertThat(made.status()).isEqualTo(201);
        String url = made.header("Location");
        String etag = made.header("ETag");

        var inner = root.post("/api/v1/teams", Map.of("parent", "made", "name", "inner", "displayName", "Inner"));
        var renamed = root.put(url, Map.of("displayName", "Made anew"), etag);
        var stale = root.put(url, Map.of("displayName", "Too late"), etag);

        assertThat(text(inner, "path")).isEqualTo("made/inner");
        assertThat(text(renamed, "displayName")).isEqualTo("Made anew");
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.problem()).isEqualTo("stale");
        assertThat(root.put(url, Map.of("displayName", "x"), null).status()).isEqualTo(428);
        assertThat(root.post(url + "/archive", null).status()).isEqualTo(409);
        assertThat(root.get("/api/v1/teams?path=made/inner").body().size()).isEqualTo(1);
    }

    @Test
    void viewsAreKeptAsAWholeAndNeverOverwrittenUnseen() {
        String url = "/api/v1/me/views";
        var none = root.get(url);
        assertThat(none.body().path("views").size()).isZero();
        String etag = none.header("ETag");
        var body = Map.of("views", List.of(Map.of("name", "Mine, failed", "query", "user=me&state=FAILED")));

        var kept = root.put(url, body, etag);

        assertThat(kept.status()).isEqualTo(200);
        assertThat(root.get(url).body().path("views").get(0).path("query").asString())
                .isEqualTo("user=me&state=FAILED");
        assertThat(root.put(url, Map.of("views", List.of()), etag).status()).isEqualTo(412);
        assertThat(root.put(url, Map.of("views", List.of()), null).status()).isEqualTo(428);
        var bad = Map.of("views", List.of(Map.of("name", "\u202Eevil", "query", "")));
        assertThat(root.put(url, bad, kept.header("ETag")).status()).isEqualTo(422);
        assertThat(root.put(url, Map.of("views", List.of()), kept.header("ETag"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void badNamesAreRefusedByField() {
        for (String name : List.of("UPPER", "with space", "nul\u0000", "\u202Ebidi", "", "-dash", "a".repeat(64))) {
            var answer = root.post("/api/v1/teams", Map.of("name", name, "displayName", "x"));
            assertThat(answer.status()).as(name).isEqualTo(422);
            assertThat(field(answer)).isEqualTo("name");
        }
        var bidi = root.post("/api/v1/teams", Map.of("name", "bidi", "displayName", "safe\u202Egnp"));
        assertThat(field(bidi)).isEqualTo("displayName");
        var unknown = root.post("/api/v1/teams", Map.of("name", "x", "displayName", "x", "colour", "red"));
        assertThat(unknown.status()).isEqualTo(422);
        assertThat(field(unknown)).isEqualTo("colour");
    }

    @Test
    void teamAdminSetsQuotasOfTheTeamsBelowWithinWhatTheTeamHas() {
        pool("quota-pool");
        TeamId top = team("quota-top");
        TeamId one = team("quota-top/one");
        user("quota-admin", top, Role.TEAM_ADMIN);
        var admin = Browser.signedIn(port, "quota-admin", PASSWORD);
        String url = "/api/v1/teams/" + one + "/quotas/quota-pool";
        root.put("/api/v1/teams/" + top + "/quotas/quota-pool", Map.of("guaranteed", 16, "weight", 1), "\"0\"");

        var over = admin.put(url, Map.of("guaranteed", 17, "weight", 1), "\"0\"");
        var set = admin.put(url, Map.of("guaranteed", 12, "limit", 20, "weight", 3), "\"0\"");

        assertThat(over.status()).isEqualTo(422);
        assertThat(over.problem()).isEqualTo("over-promised");
        assertThat(over.text()).contains("16 GPUs guaranteed").contains("17");
        assertThat(set.status()).isEqualTo(200);
        assertThat(set.header("ETag")).isNotEmpty();
        assertThat(admin.put(
                                "/api/v1/teams/" + top + "/quotas/quota-pool",
                                Map.of("guaranteed", 99, "weight", 1),
                                "\"1\"")
                        .status())
                .isEqualTo(403);
        assertThat(field(admin.put(url, Map.of("guaranteed", 12, "limit", 3, "weight", 1), set.header("ETag"))))
                .isEqualTo("limit");
        assertThat(audited("quota:" + one + "/quota-pool")).isEqualTo(1);
    }

    @Test
    void aQuotaHasShapesThatThePoolsTopologyCanHold() {
        pool("shaped");
        TeamId team = team("shaped");
        String url = "/api/v1/teams/" + team + "/quotas/shaped";

        assertThat(shaped(url, Map.of("count", 1, "level", "planet", "gpus", 8)))
                .isEqualTo("shapes[0].level");
        assertThat(shaped(url, Map.of("count", 1, "level", "node", "gpus", 9))).isEqualTo("shapes[0].gpus");
        assertThat(shaped(url, Map.of("count", 0, "level", "node", "gpus", 8))).isEqualTo("shapes[0].count");
        assertThat(shaped(url, Map.of("count", 3, "level", "node", "gpus", 8))).isEqualTo("shapes");
        assertThat(shaped(url, Map.of("count", 1, "level", "node"))).isEqualTo("shapes[0].gpus");

        var shape = Map.of("count", 2, "level", "node", "gpus", 8);
        var set = root.put(url, Map.of("guaranteed", 16, "weight", 1, "shapes", List.of(shape)), "\"0\"");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(set.text()).contains("\"shapes\":[{\"count\":2,\"level\":\"node\",\"gpus\":8}]");
        assertThat(root.get("/api/v1/teams/" + team).text()).contains("\"gpus\":8");
        assertThat(root.get("/api/v1/audit?subject=quota:" + team + "/shaped").text())
                .contains("2 x (8 GPUs of one node)");
    }

    private static String shaped(String url, Map<String, Object> shape) {
        return field(root.put(url, Map.of("guaranteed", 16, "weight", 1, "shapes", List.of(shape)), "\"0\""));
    }

    @Test
    void promisesBeyondTheMachinesAreKeptWithAWarning() {
        pool("promised");
        TeamId team = team("promised-team");

        var set =
                root.put("/api/v1/teams/" + team + "/quotas/promised", Map.of("guaranteed", 50, "weight", 1), "\"0\"");

        assertThat(set.status()).isEqualTo(200);
        assertThat(text(set, "warning")).contains("50 GPUs in promised, which has 8");
    }

    @Test
    void partsOfAGpuAndTextForNumbersAreRefusedAndWhatIsMissingIsNamed() {
        pool("parts");
        String url = "/api/v1/teams/" + team("parts") + "/quotas/parts";

        assertThat(field(root.put(url, Map.of("guaranteed", 1.5, "weight", 1), "\"0\"")))
                .isEqualTo("guaranteed");
        assertThat(field(root.put(url, Map.of("guaranteed", "1", "weight", 1), "\"0\"")))
                .isEqualTo("guaranteed");
        var missing = root.put(url, Map.of("guaranteed", 1), "\"0\"");
        assertThat(field(missing)).isEqualTo("weight");
        assertThat(missing.text()).contains("\"required\"").contains("is missing");
    }

    @Test
    void whatNoDatabaseKeepsAndWhatIsMissingInsideIsRefusedByName() {
        pool("inside");
        String nul = "a\0b";

        assertThat(field(root.post("/api/v1/nodes/inside-n1/cordon", Map.of("why", nul))))
                .isEqualTo("why");
        assertThat(field(root.post("/api/v1/policies", Map.of("values", Map.of(), "why", nul))))
                .isEqualTo("why");
        String pool = "{\"id\":\"p\",\"displayName\":\"p\",\"microsPerGpuHour\":1,\"selector\":%s,\"levels\":%s}";
        assertThat(field(root.post("/api/v1/pools", pool.formatted("{\"a\":\"b\"}", "[null]"))))
                .isEqualTo("levels[0]");
        assertThat(field(root.post("/api/v1/pools", pool.formatted("{\"a\":null}", "[]"))))
                .isEqualTo("selector.a");
        assertThat(field(root.post("/api/v1/jobs/bulk", "{\"action\":\"cancel\",\"jobs\":[null],\"dryRun\":true}")))
                .isEqualTo("jobs[0]");
    }

    @Test
    void whatNoControllerSeesIsRefusedAsAProblemToo() {
        pool("refusals");
        var refused = Map.of(
                "/api/v1/jobs?q=%ff", 400,
                "/api/v1/shares/history?pool=refusals&to=%2B999999999-12-31T00:00:00Z", 422,
                "/api/v1/audit?subject=%00", 422,
                "/api/v1/jobs/1;x=1", 400,
                "/api/v1/jobs/%2e%2e", 400,
                "/api/v1/no/such/thing", 404,
                "/error", 404);
        refused.forEach((path, status) -> assertProblem(root.get(path), status));
        assertProblem(root.send("PROPFIND", "/api/v1/jobs", null, Map.of()), 400);
        assertProblem(root.send("POST", "/api/v1/jobs", "x", Map.of("Content-Type", "multipart/form-data")), 415);
        assertThat(root.get("/api/v1/no/such/thing").text()).doesNotContain("static resource");
    }

    @Test
    void whatTomcatRefusesIsAProblem() throws IOException {
        for (String start : List.of(
                "GET /api/v1/me HTTP/1.1\r\n\r\n",
                "GET /a\"b HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nLong: " + "a".repeat(20_000) + "\r\n\r\n",
                "TRACE /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n")) {
            try (var socket = new Socket("localhost", port)) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(start.getBytes(StandardCharsets.ISO_8859_1));
                byte[] answer = new byte[4096];
                int length = socket.getInputStream().read(answer);
                assertThat(new String(answer, 0, length, StandardCharsets.ISO_8859_1))
                        .startsWith("HTTP/1.1 4")
                        .containsIgnoringCase("Content-Type: application/problem+json")
                        .doesNotContain("<html");
            }
        }
    }

    private static void assertProblem(Answer answer, int status) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).as(answer.text()).startsWith("application/problem+json");
        assertThat(answer.problem()).as(answer.text()).isNotEmpty();
    }

    @Test
    void negativeAndHugeNumbersAreRefused() {
        pool("numbers");
        TeamId team = team("numbers");
        String url = "/api/v1/teams/" + team + "/quotas/numbers";

        assertThat(field(root.put(url, Map.of("guaranteed", -1, "weight", 1), "\"0\"")))
                .isEqualTo("guaranteed");
        assertThat(field(root.put(url, Map.of("guaranteed", 1_000_000_000, "weight", 1), "\"0\"")))
                .isEqualTo("guaranteed");
        var beyond = root.put(url, Map.of("guaranteed", 3_000_000_000L, "weight", 1), "\"0\"");
        assertThat(beyond.status()).isEqualTo(422);
        assertThat(field(beyond)).isEqualTo("guaranteed");
        assertThat(field(root.put(url, Map.of("guaranteed", "many", "weight", 1), "\"0\"")))
                .isEqualTo("guaranteed");
        assertThat(root.put("/api/v1/teams/" + team + "/quotas/none", Map.of("guaranteed", 1, "weight", 1), "\"0\"")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void settingsAreReadAsTheyWereWritten() {
        TeamId team = team("settings");
        team("settings/inner");
        String url = "/api/v1/teams/" + team + "/settings";
        var body = new HashMap<String, Object>(Map.of(
                "cpusPerGpu", "8",
                "memoryPerGpu", "64Gi",
                "walltime", "12h",
                "order", "attained-service",
                "imageAllowlist", List.of("images.example/")));

        var set = root.put(url, body, "\"0\"");
        var read = root.get(url);
        body.put("walltime", "soon");
        var wrong = root.put(url, body, read.header("ETag"));
        body.put("walltime", "12h");
        body.put("order", "newest-first");
        var noOrder = root.put(url, body, read.header("ETag"));

        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(read.body().path("own").path("memoryPerGpu").asString()).isEqualTo("64Gi");
        assertThat(read.body().path("effective").path("walltime").asString()).isEqualTo("12h");
        assertThat(field(wrong)).isEqualTo("walltime");
        assertThat(read.body().path("effective").path("order").asString()).isEqualTo("attained-service");
        assertThat(field(noOrder)).isEqualTo("order");
    }

    @Test
    void newUserSetsAPasswordByTheirLink() {
        var made = root.post(
                "/api/v1/users", Map.of("username", "newcomer", "displayName", "New Comer", "platformAdmin", false));
        assertThat(made.status()).isEqualTo(201);
        String secret = text(made, "oneTimeLink").replaceAll(".*/", "");
        var browser = Browser.of(port);
        browser.get("/api/v1/me");

        browser.post("/api/v1/one-time-links/" + secret, Map.of("password", PASSWORD));

        assertThat(Browser.signedIn(port, "newcomer", PASSWORD)
                        .get("/api/v1/me")
                        .status())
                .isEqualTo(200);
        assertThat(root.post("/api/v1/users/newcomer/disable", null)
                        .body()
                        .path("disabled")
                        .asBoolean())
                .isTrue();
        assertThat(root.post("/api/v1/users/admin/disable", null).status()).isEqualTo(409);
    }

    @Test
    void serviceAccountWorksByToken() {
        TeamId team = team("robots");
        user("robot-admin", team, Role.TEAM_ADMIN);
        var admin = Browser.signedIn(port, "robot-admin", PASSWORD);
        String url = "/api/v1/teams/" + team + "/service-accounts";

        assertThat(admin.post(url, Map.of("name", "ci-robot")).status()).isEqualTo(201);
        var token = admin.post(url + "/ci-robot/tokens", Map.of("name", "t", "scope", "SUBMIT", "expiresIn", "1d"));

        var me = Browser.of(port, text(token, "secret")).get("/api/v1/me");
        assertThat(text(me, "username")).isEqualTo("ci-robot");
        assertThat(me.body().path("teams").get(0).path("role").asString()).isEqualTo("MEMBER");
    }

    @Test
    void poolIsChangedOnlyFromWhatWasRead() {
        pool("changing");
        var read = root.get("/api/v1/pools/changing");
        var body = new HashMap<String, Object>(Map.of(
                "displayName", "Changed",
                "selector", Map.of("pool", "changing"),
                "levels", List.of(Map.of("name", "node", "label", "kubernetes.io/hostname")),
                "profile", Map.of("podSecurity", "baseline"),
                "microsPerGpuHour", 5));

        var changed = root.put("/api/v1/pools/changing", body, read.header("ETag"));
        var stale = root.put("/api/v1/pools/changing", body, read.header("ETag"));
        body.put("profile", Map.of("podSecurity", "lax"));
        var wrong = root.put("/api/v1/pools/changing", body, changed.header("ETag"));

        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.body().path("profile").path("podSecurity").asString())
                .isEqualTo("baseline");
        assertThat(changed.body().path("profile").path("imagePullPolicy").asString())
                .isEqualTo("IfNotPresent");
        assertThat(changed.body().path("total").asInt()).isEqualTo(8);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(field(wrong)).isEqualTo("profile.podSecurity");
    }

    @Test
    void numbersOfAPoolAreThoseOfItsCells() {
        pool("cells");
        nodes.foreign(new NodeId("cells-n1"), Resources.gpus(3), Instant.now());

        var pool = root.get("/api/v1/pools/cells").body();
        var node = root.get("/api/v1/nodes/cells-n1").body();
        var topology = root.get("/api/v1/topology?pool=cells").body();

        assertThat(pool.path("free").asInt()).isEqualTo(5);
        assertThat(pool.path("foreign").asInt()).isEqualTo(3);
        assertThat(pool.path("largestGang").get(0).path("gpus").asInt()).isEqualTo(5);
        assertThat(node.path("gpus").size()).isEqualTo(8);
        assertThat(topology.path("domains").get(0).path("path").get(0).asString())
                .isEqualTo("r1");
    }

    @Test
    void drainedNodeTakesNoReplicasUntilItIsUncordoned() {
        pool("drained");
        String url = "/api/v1/nodes/drained-n1";

        var drained = root.post(url + "/drain", Map.of("deadline", "30m", "why", "new switch"));
        var wrong = root.post(url + "/drain", Map.of("deadline", "later", "why", "x"));
        var silent = root.post(url + "/cordon", Map.of("why", " "));

        assertThat(drained.body().path("cordon").path("kind").asString()).isEqualTo("DRAIN");
        assertThat(drained.body().path("takesReplicas").asBoolean()).isFalse();
        assertThat(field(wrong)).isEqualTo("deadline");
        assertThat(field(silent)).isEqualTo("why");
        assertThat(root.post(url + "/uncordon", null)
                        .body()
                        .path("takesReplicas")
                        .asBoolean())
                .isTrue();
        assertThat(root.post(url + "/confirm-gone", Map.of()).status()).isEqualTo(409);
    }

    @Test
    void teamAdminPausesTheTeamAndNothingElse() {
        TeamId team = team("pausers");
        user("pauser", team, Role.TEAM_ADMIN);
        var admin = Browser.signedIn(port, "pauser", PASSWORD);

        var paused = admin.post("/api/v1/mode", Map.of("mode", "PAUSED", "team", "pausers", "why", "broken data"));
        var everywhere = admin.post("/api/v1/mode", Map.of("mode", "PAUSED", "why", "everything"));

        assertThat(paused.status()).isEqualTo(201);
        assertThat(everywhere.status()).isEqualTo(403);
        var entry = paused.body().path("entries").get(0);
        assertThat(entry.path("team").asString()).isEqualTo("pausers");
        var ended = admin.post("/api/v1/mode/" + entry.path("id").asLong() + "/end", Map.of("why", "mended"));
        assertThat(ended.body().path("entries").size()).isZero();
    }

    @Test
    void policyIsRevisedValueByValue() {
        var revised = root.post("/api/v1/policies", Map.of("values", Map.of("minRuntime", "15m"), "why", "gentler"));
        var unknown = root.post("/api/v1/policies", Map.of("values", Map.of("minRuntimes", 1), "why", "x"));
        var senseless = root.post("/api/v1/policies", Map.of("values", Map.of("reclaimPercent", 500), "why", "x"));

        assertThat(revised.status()).as(revised.text()).isEqualTo(201);
        assertThat(revised.body().path("values").path("minRuntime").asInt()).isEqualTo(900);
        assertThat(revised.body().path("values").path("maxGrace").asInt()).isEqualTo(1800);
        assertThat(field(unknown)).isEqualTo("values.minRuntimes");
        assertThat(field(senseless)).isEqualTo("values.reclaimPercent");
        var tooLong = root.post("/api/v1/policies", Map.of("values", Map.of("minRuntime", "30d"), "why", "x"));
        assertThat(tooLong.body().path("detail").asString()).isEqualTo("values.minRuntime: must be between 0s and 7d");
    }

    @Test
    void classIsGrantedByPath() {
        team("granted");
        var body = Map.of(
                "value",
                2000,
                "usableBy",
                "GRANTED",
                "acrossTeams",
                true,
                "caps",
                Map.of("h100", 8),
                "grants",
                List.of("granted"));

        var set = root.put("/api/v1/priority-classes/production", body, null);

        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(set.body().path("grants").get(0).asString()).isEqualTo("granted");
        assertThat(set.body().path("caps").path("h100").asInt()).isEqualTo(8);
    }

    @Test
    void usersSeeTheUseOfTheirTeamsAlone() {
        TeamId team = team("spenders");
        TeamId other = team("others");
        Person spender = user("spender", team, Role.VIEWER);
        use(team, spender, 7200);
        use(other, spender, 3600);
        var browser = Browser.signedIn(port, "spender", PASSWORD);
        String range = "?from=2026-01-01&to=2026-01-31";

        var rows = browser.get("/api/v1/usage" + range).body();
        var csv = browser.send("GET", "/api/v1/usage" + range + "&by=user", null, Map.of("Accept", "text/csv"));

        assertThat(rows.size()).isEqualTo(1);
        assertThat(rows.get(0).path("key").asString()).isEqualTo("spenders");
        assertThat(rows.get(0).path("gpuHours").asDouble()).isEqualTo(2.0);
        assertThat(csv.text()).contains("\"spender\",2.0,0.0,1.500000");
        assertThat(field(browser.get("/api/v1/usage?by=colour"))).isEqualTo("by");
        assertThat(browser.get("/api/v1/usage?team=others").status()).isEqualTo(422);
    }

    @Test
    void cellThatLooksLikeAFormulaIsNone() {
        assertThat(UsageController.cell("=HYPERLINK(\"x\")")).isEqualTo("\"'=HYPERLINK(\"\"x\"\")\"");
    }

    @Test
    void trailTellsWhoChangedWhat() {
        team("followed");
        TeamId team = team("followed/inner");
        user("follower", team, Role.VIEWER);
        root.put("/api/v1/teams/" + team + "/members/follower", Map.of("role", "MEMBER"), null);

        var page = root.get("/api/v1/audit?limit=500").body();
        var first = page.path("items")
                .valueStream()
                .filter(e -> e.path("action").asString().equals("member.set"))
                .filter(e -> e.path("subject").asString().contains(team.toString()))
                .findFirst()
                .orElseThrow();

        assertThat(first.path("actor").asString()).isEqualTo("admin");
        assertThat(first.path("before").path("role").asString()).isEqualTo("VIEWER");
        assertThat(first.path("after").path("role").asString()).isEqualTo("MEMBER");
        assertThat(first.path("source").asString()).isNotEmpty();
    }

    @Test
    void overviewAnswersTheFirstScreen() {
        pool("first");

        var overview = root.get("/api/v1/overview");

        assertThat(overview.status()).isEqualTo(200);
        assertThat(overview.body().path("pools").size()).isPositive();
        assertThat(overview.body().path("mode").path("entries").isArray()).isTrue();
    }

    @Test
    void sharesAndTheirHistoryCanBeAskedFor() {
        pool("shared");

        assertThat(root.get("/api/v1/shares?pool=shared").status()).isEqualTo(200);
        assertThat(root.get("/api/v1/shares/history?pool=shared").status()).isEqualTo(200);
        assertThat(field(root.get("/api/v1/shares/history?pool=shared&from=yesterday")))
                .isEqualTo("from");
    }

    @Test
    void namesTakenForLaterAreNotThereYet() {
        for (String name : List.of("objectives", "escalations", "incidents", "decisions", "no-such-thing")) {
            var answer = root.get("/api/v1/" + name);
            assertThat(answer.status()).as(name).isEqualTo(404);
            assertThat(answer.problem()).isEqualTo("not-found");
        }
    }

    private void pool(String id) {
        if (root.get("/api/v1/pools/" + id).status() == 404) {
            var made = root.post(
                    "/api/v1/pools",
                    Map.of(
                            "id",
                            id,
                            "displayName",
                            id,
                            "selector",
                            Map.of("pool", id),
                            "levels",
                            List.of(
                                    Map.of("name", "rack", "label", "example.com/rack"),
                                    Map.of("name", "node", "label", "kubernetes.io/hostname")),
                            "microsPerGpuHour",
                            0));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
        }
        nodes.seen(new NodeReport(
                new NodeId(id + "-n1"),
                Map.of("pool", id, "nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3", "example.com/rack", "r1"),
                List.of(),
                Map.of("nvidia.com/gpu", 8L, "cpu", 64_000L, "memory", 64L << 30),
                true,
                false,
                List.of(),
                Instant.parse("2100-01-01T00:00:00Z")));
    }

    private TeamId team(String path) {
        return tenancy.ensureTeam(null, new TeamPath(path), path).id();
    }

    private Person user(String name, TeamId team, Role role) {
        Person person = tenancy.ensureUser(null, name, name, false);
        passwords.set(person.id(), name, PASSWORD, false);
        tenancy.ensureMember(null, team, person.id(), role);
        return person;
    }

    private void use(TeamId team, Person by, long seconds) {
        jdbc.sql("insert into usage_day (day, team_id, principal_id, pool, gpu_seconds, micros)"
                        + " values ('2026-01-10', ?, ?, 'h100', ?, 1500000)")
                .params(team.value(), by.id().value(), seconds)
                .update();
    }

    private long audited(String subject) {
        return jdbc.sql("select count(*) from audit_entry where subject = ?")
                .param(subject)
                .query(Long.class)
                .single();
    }

    private static String text(Answer answer, String field) {
        return answer.body().path(field).asString("");
    }

    private static String field(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        return answer.body().path("errors").get(0).path("field").asString();
    }
}
