package io.muster.web;

import static io.muster.web.AccessTable.Who.ABOVE_ADMIN;
import static io.muster.web.AccessTable.Who.ANONYMOUS;
import static io.muster.web.AccessTable.Who.ATTEMPT;
import static io.muster.web.AccessTable.Who.FENCED_ADMIN_TOKEN;
import static io.muster.web.AccessTable.Who.FOREIGN;
import static io.muster.web.AccessTable.Who.MEMBER;
import static io.muster.web.AccessTable.Who.NO_TEAM;
import static io.muster.web.AccessTable.Who.OUT;
import static io.muster.web.AccessTable.Who.PLATFORM_ADMIN;
import static io.muster.web.AccessTable.Who.READ_TOKEN;
import static io.muster.web.AccessTable.Who.SERVICE_ACCOUNT;
import static io.muster.web.AccessTable.Who.SUBMIT_TOKEN;
import static io.muster.web.AccessTable.Who.TEAM_ADMIN;
import static io.muster.web.AccessTable.Who.VIEWER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may call what. Every endpoint of the server has its row here: one without is a failing test. A body is always a
 * valid one, so that it is the permission that is tested, and one that changes nothing where that can be had.
 */
final class AccessTable {

    enum Who {
        ANONYMOUS,
        /** The token of a user who was disabled since: as good as none. */
        OUT,
        /** Signed in, member of another team. */
        FOREIGN,
        /** Signed in, member of no team. */
        NO_TEAM,
        /** An ADMIN token of the platform's admin that is for another team alone. */
        FENCED_ADMIN_TOKEN,
        VIEWER,
        /** Submitted the job. */
        MEMBER,
        TEAM_ADMIN,
        /** An ADMIN token of the team's service account. */
        SERVICE_ACCOUNT,
        /** Admin of the team above. */
        ABOVE_ADMIN,
        PLATFORM_ADMIN,
        /** A READ token of the team's admin. */
        READ_TOKEN,
        /** A SUBMIT token of the member. */
        SUBMIT_TOKEN,
        /** The token of the job's first attempt. */
        ATTEMPT
    }

    enum Answer {
        ALLOWED,
        UNAUTHENTICATED,
        FORBIDDEN,
        HIDDEN
    }

    /**
     * A row.
     *
     * @param endpoint as the server maps it: {@code GET /api/v1/teams/{id}}
     * @param path a concrete one, with {@code $team} and the like for things that the test makes
     * @param allowed further statuses that mean "let in": 404 where the thing named is not there
     */
    record Row(String endpoint, String path, @Nullable Object body, Map<Who, Answer> answers, Set<Integer> allowed) {
        String method() {
            return endpoint.substring(0, endpoint.indexOf(' '));
        }
    }

    /** Those that begin or end a session have tests of their own. */
    static final Set<String> ELSEWHERE = Set.of("POST /api/v1/session", "DELETE /api/v1/session");

    private static final String V1 = "/api/v1";
    private static final Object WHY = Map.of("why", "a test");

    private final List<Row> rows = new ArrayList<>();

    static List<Row> rows() {
        var table = new AccessTable();
        table.account();
        table.teams();
        table.fleet();
        table.policy();
        table.jobs();
        return table.rows;
    }

    private void account() {
        signedIn("GET /me", "/me", null);
        session("PUT /me/password", "/me/password", Map.of("current", "not this one", "next", "another long password"));
        row("POST /one-time-links/{secret}", "/one-time-links/none", Map.of("password", "a long password"), all(), 404);
        session("GET /me/views", "/me/views", null);
        session("PUT /me/views", "/me/views", Map.of("views", List.of()));
        session("GET /tokens", "/tokens", null);
        session("POST /tokens", "/tokens", Map.of("name", "t", "scope", "READ", "expiresIn", "1h"));
        session("DELETE /tokens/{id}", "/tokens/$nothing", null, 404);
        platformAdmin("GET /users", "/users", null);
        platformAdmin(
                "POST /users", "/users", Map.of("username", "Not Valid", "displayName", "x", "platformAdmin", false));
        platformAdmin("POST /users/{name}/disable", "/users/nobody/disable", null, 404);
        platformAdmin("POST /users/{name}/enable", "/users/nobody/enable", null, 404);
        platformAdmin("POST /users/{name}/one-time-link", "/users/nobody/one-time-link", null, 404);
        platformAdmin("GET /audit", "/audit", null);
        signedIn("GET /usage", "/usage", null);
        signedIn("GET /cost", "/cost", null);
    }

    private void teams() {
        signedIn("GET /teams", "/teams", null);
        signedIn("GET /teams/{id}", "/teams/$team", null);
        team(TEAM_ADMIN, "POST /teams", "/teams", Map.of("parent", "$path", "name", "NOT VALID", "displayName", "x"));
        team(TEAM_ADMIN, "PUT /teams/{id}", "/teams/$team", Map.of("displayName", "x"));
        platformAdmin("POST /teams/{id}/archive", "/teams/$nothing/archive", null, 404);
        team(VIEWER, "GET /teams/{id}/members", "/teams/$team/members", null);
        team(
                TEAM_ADMIN,
                "PUT /teams/{id}/members/{username}",
                "/teams/$team/members/access-member",
                Map.of("role", "MEMBER"));
        team(TEAM_ADMIN, "DELETE /teams/{id}/members/{username}", "/teams/$team/members/nobody", null, 404);
        above("PUT /teams/{id}/quotas/{pool}", "/teams/$team/quotas/access", Map.of("guaranteed", 1, "weight", 1));
        above("DELETE /teams/{id}/quotas/{pool}", "/teams/$team/quotas/access", null, 404);
        team(VIEWER, "GET /teams/{id}/settings", "/teams/$team/settings", null);
        team(TEAM_ADMIN, "PUT /teams/{id}/settings", "/teams/$team/settings", Map.of("imageAllowlist", List.of()));
        platformAdmin(
                "PUT /teams/{id}/volumes/{name}",
                "/teams/$team/volumes/v",
                Map.of("claim", "NOT VALID", "readOnly", true));
        platformAdmin("DELETE /teams/{id}/volumes/{name}", "/teams/$team/volumes/none", null, 404);
        String accounts = "/teams/$team/service-accounts";
        team(TEAM_ADMIN, "GET /teams/{id}/service-accounts", accounts, null);
        team(TEAM_ADMIN, "POST /teams/{id}/service-accounts", accounts, Map.of("name", "NOT VALID"));
        team(TEAM_ADMIN, "POST /teams/{id}/service-accounts/{name}/disable", accounts + "/none/disable", null, 404);
        team(TEAM_ADMIN, "GET /teams/{id}/service-accounts/{name}/tokens", accounts + "/none/tokens", null, 404);
        var token = Map.of("name", "t", "scope", "READ", "expiresIn", "1h");
        team(TEAM_ADMIN, "POST /teams/{id}/service-accounts/{name}/tokens", accounts + "/none/tokens", token, 404);
        team(
                TEAM_ADMIN,
                "DELETE /teams/{id}/service-accounts/{name}/tokens/{token}",
                accounts + "/none/tokens/$nothing",
                null,
                404);
    }

    private void fleet() {
        var levels = List.of(Map.of("name", "node", "label", "kubernetes.io/hostname"));
        signedIn("GET /pools", "/pools", null);
        signedIn("GET /pools/{id}", "/pools/access", null);
        platformAdmin(
                "POST /pools",
                "/pools",
                Map.of(
                        "id",
                        "NOT VALID",
                        "displayName",
                        "x",
                        "selector",
                        Map.of(),
                        "levels",
                        levels,
                        "microsPerGpuHour",
                        0));
        platformAdmin(
                "PUT /pools/{id}",
                "/pools/access",
                Map.of("displayName", "x", "selector", Map.of(), "levels", levels, "microsPerGpuHour", 0));
        signedIn("GET /gpu-types", "/gpu-types", null);
        platformAdmin(
                "PUT /gpu-types/{id}",
                "/gpu-types/x",
                Map.of("memoryMib", -1, "resourceName", "nvidia.com/gpu", "products", List.of()));
        signedIn("GET /nodes", "/nodes", null);
        signedIn("GET /nodes/{id}", "/nodes/access-n1", null);
        platformAdmin("GET /unassigned-nodes", "/unassigned-nodes", null);
        platformAdmin("POST /nodes/{id}/cordon", "/nodes/access-n1/cordon", WHY);
        platformAdmin("POST /nodes/{id}/uncordon", "/nodes/access-n1/uncordon", null);
        platformAdmin("POST /nodes/{id}/drain", "/nodes/access-n1/drain", Map.of("deadline", "1h", "why", "a test"));
        platformAdmin("POST /nodes/{id}/quarantine", "/nodes/access-n1/quarantine", WHY);
        platformAdmin("POST /nodes/{id}/return", "/nodes/access-n1/return", null);
        platformAdmin("POST /nodes/{id}/confirm-gone", "/nodes/access-n1/confirm-gone", WHY);
        signedIn("GET /topology", "/topology?pool=access", null);
        signedIn("GET /overview", "/overview", null);
        signedIn("GET /shares", "/shares", null);
        signedIn("GET /shares/history", "/shares/history?pool=access", null);
        signedIn("GET /forecasts/calibration", "/forecasts/calibration?days=7&pool=access", null);
    }

    private void policy() {
        signedIn("GET /priority-classes", "/priority-classes", null);
        platformAdmin(
                "PUT /priority-classes/{name}",
                "/priority-classes/NOT-VALID",
                Map.of("value", 0, "usableBy", "MEMBER", "acrossTeams", false, "caps", Map.of(), "grants", List.of()));
        signedIn("GET /policies", "/policies", null);
        platformAdmin("POST /policies", "/policies", Map.of("values", Map.of("none", 1), "why", "a test"));
        signedIn("GET /mode", "/mode", null);
        team(TEAM_ADMIN, "POST /mode", "/mode", Map.of("mode", "NONE", "team", "$path", "why", "a test"));
        team(TEAM_ADMIN, "POST /mode/{id}/end", "/mode/$mode/end", Map.of("why", ""));
    }

    private void jobs() {
        signedIn("GET /jobs", "/jobs", null);
        signedIn("GET /jobs/groups", "/jobs/groups?by=team", null);
        signedIn("GET /jobs/{id}", "/jobs/$job", null);
        signedIn("GET /jobs/{id}/placement", "/jobs/$job/placement", null);
        signedIn("GET /jobs/{id}/explanation", "/jobs/$job/explanation", null);
        signedIn("GET /queue", "/queue", null);
        signedIn("GET /events", "/events", null);
        for (String part : List.of("events", "attempts", "checkpoints", "logs")) {
            team(VIEWER, "GET /jobs/{id}/" + part, "/jobs/$job/" + part, null);
        }
        var document = Map.of("name", "NOT VALID", "team", "$path", "image", "i", "command", List.of("c"));
        jobWrite("POST /jobs", "/jobs", document);
        row("POST /jobs/preview", "/jobs/preview", document, signedInButAttempt(), 404, 403);
        for (String action : List.of("cancel", "hold", "release", "checkpoint")) {
            job("POST /jobs/{id}/" + action, "/jobs/$job/" + action, null);
        }
        job("POST /jobs/{id}/priority", "/jobs/$job/priority", Map.of("priority", "none"));
        jobWrite("POST /jobs/{id}/extend", "/jobs/$job/extend", Map.of("by", "1h"));
        job("PATCH /jobs/{id}", "/jobs/$job", Map.of("replicas", -1));
        jobWrite("POST /jobs/bulk", "/jobs/bulk", Map.of("action", "cancel", "jobs", List.of(), "dryRun", true));
        attempt("GET /jobs/{id}/attempts/{number}/signals", "signals?wait=0s", null);
        attempt("POST /jobs/{id}/attempts/{number}/checkpoints", "checkpoints", Map.of("step", -1, "path", ""));
        attempt("POST /jobs/{id}/attempts/{number}/progress", "progress", Map.of("step", -1));
        attempt("POST /jobs/{id}/attempts/{number}/finished", "finished", null);
    }

    private void signedIn(String endpoint, String path, @Nullable Object body) {
        var answers = signedInButAttempt();
        if (!endpoint.startsWith("GET ")) tokensForbidden(answers);
        row(endpoint, path, body, answers);
    }

    /** Which team a document names decides about it later than the filter chain; jobs have tests of their own. */
    private void jobWrite(String endpoint, String path, @Nullable Object body) {
        var answers = signedInButAttempt();
        answers.put(READ_TOKEN, Answer.FORBIDDEN);
        row(endpoint, path, body, answers, 403, 404);
    }

    private void session(String endpoint, String path, @Nullable Object body, Integer... allowed) {
        var answers = signedInButAttempt();
        tokensForbidden(answers);
        answers.put(SERVICE_ACCOUNT, Answer.FORBIDDEN);
        answers.put(FENCED_ADMIN_TOKEN, Answer.FORBIDDEN);
        row(endpoint, path, body, answers, allowed);
    }

    private void platformAdmin(String endpoint, String path, @Nullable Object body, Integer... allowed) {
        var answers = of(Answer.FORBIDDEN);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.HIDDEN);
        answers.put(PLATFORM_ADMIN, Answer.ALLOWED);
        row(endpoint, path, body, answers, allowed);
    }

    private void team(Who least, String endpoint, String path, @Nullable Object body, Integer... allowed) {
        var answers = of(Answer.ALLOWED);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.HIDDEN);
        hidden(answers);
        if (least == TEAM_ADMIN) {
            answers.put(VIEWER, Answer.FORBIDDEN);
            answers.put(MEMBER, Answer.FORBIDDEN);
            answers.put(SERVICE_ACCOUNT, Answer.FORBIDDEN);
            answers.put(SUBMIT_TOKEN, Answer.FORBIDDEN);
        }
        if (!endpoint.startsWith("GET ")) tokensForbidden(answers);
        row(endpoint, path, body, answers, allowed);
    }

    private void above(String endpoint, String path, @Nullable Object body, Integer... allowed) {
        var answers = of(Answer.FORBIDDEN);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.HIDDEN);
        hidden(answers);
        answers.put(ABOVE_ADMIN, Answer.ALLOWED);
        answers.put(PLATFORM_ADMIN, Answer.ALLOWED);
        row(endpoint, path, body, answers, allowed);
    }

    /** Acts on a job are its team's own business, though everybody may know that it is there. */
    private void job(String endpoint, String path, @Nullable Object body) {
        var answers = of(Answer.ALLOWED);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.HIDDEN);
        hidden(answers);
        answers.put(VIEWER, Answer.FORBIDDEN);
        answers.put(SERVICE_ACCOUNT, Answer.FORBIDDEN); // a member, but the job is another's
        answers.put(READ_TOKEN, Answer.FORBIDDEN);
        row(endpoint, path, body, answers);
    }

    private void attempt(String endpoint, String last, @Nullable Object body) {
        var answers = of(Answer.FORBIDDEN);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.ALLOWED);
        row(endpoint, "/jobs/$job/attempts/1/" + last, body, answers, 404);
    }

    private void row(
            String endpoint, String path, @Nullable Object body, Map<Who, Answer> answers, Integer... allowed) {
        answers.put(OUT, Answer.UNAUTHENTICATED);
        rows.add(
                new Row(endpoint.replace(" ", " " + V1), V1 + path, body, answers, Set.copyOf(Arrays.asList(allowed))));
    }

    private static Map<Who, Answer> signedInButAttempt() {
        var answers = of(Answer.ALLOWED);
        answers.put(ANONYMOUS, Answer.UNAUTHENTICATED);
        answers.put(ATTEMPT, Answer.HIDDEN);
        return answers;
    }

    private static Map<Who, Answer> all() {
        var answers = of(Answer.ALLOWED);
        answers.put(READ_TOKEN, Answer.FORBIDDEN);
        answers.put(SUBMIT_TOKEN, Answer.FORBIDDEN);
        answers.put(ATTEMPT, Answer.HIDDEN);
        return answers;
    }

    /** To whoever has no part in the team, it is not there. */
    private static void hidden(Map<Who, Answer> answers) {
        answers.put(FOREIGN, Answer.HIDDEN);
        answers.put(NO_TEAM, Answer.HIDDEN);
        answers.put(FENCED_ADMIN_TOKEN, Answer.HIDDEN);
    }

    private static void tokensForbidden(Map<Who, Answer> answers) {
        answers.put(READ_TOKEN, Answer.FORBIDDEN);
        answers.put(SUBMIT_TOKEN, Answer.FORBIDDEN);
    }

    private static Map<Who, Answer> of(Answer answer) {
        var answers = new EnumMap<Who, Answer>(Who.class);
        for (Who who : Who.values()) answers.put(who, answer);
        return answers;
    }

    /** A body with the things that the test made put in. */
    static @Nullable Object filled(@Nullable Object body, Map<String, String> things) {
        if (body instanceof Map<?, ?> map) {
            var filled = new HashMap<Object, Object>();
            map.forEach((k, v) -> filled.put(k, String.valueOf(v).startsWith("$") ? filled(v, things) : v));
            return filled;
        }
        return body instanceof String text ? things.getOrDefault(text, text) : body;
    }
}
