package io.muster.story;

import io.muster.job.PlainDuration;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What stories do again and again: teams, quotas, jobs, waiting for something to become true. */
final class Lab {
    /** Of a machine that is busy with something else, too. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int LOOK_MILLIS = 100;

    private final RunningServer server;
    private final Ledger ledger;
    private final int slowness;
    private BiConsumer<String, String> madeVolume = (team, volume) -> {};
    private final StoryClient admin;
    private final Map<String, String> teamIds = new HashMap<>();
    private final Map<String, StoryClient> users = new HashMap<>();

    Lab(RunningServer server) {
        this(server, 1);
    }

    /** @param slowness how much shorter times have to be than on a virtual cluster, whose clock is scaled */
    Lab(RunningServer server, int slowness) {
        this.slowness = slowness;
        this.server = server;
        this.ledger = server.ledger();
        this.admin = server.admin();
    }

    /** A pool over all nodes with these labels; levels and their labels in turn, from the outermost. */
    Lab pool(String id, Map<String, String> selector, String... levelsAndLabels) {
        var levels = new ArrayList<Map<String, String>>();
        for (int i = 0; i < levelsAndLabels.length; i += 2) {
            levels.add(Map.of("name", levelsAndLabels[i], "label", levelsAndLabels[i + 1]));
        }
        var body = new HashMap<String, Object>();
        body.put("id", id);
        body.put("displayName", id);
        body.put("selector", selector);
        body.put("levels", levels);
        body.put("microsPerGpuHour", 2_000_000);
        admin.post("/pools", body);
        return this;
    }

    Lab team(String name) {
        var team = admin.post("/teams", Map.of("name", name, "displayName", name));
        teamIds.put(name, team.at("/id").asString());
        var user = userOf(name);
        var created = admin.post("/users", Map.of("username", user, "displayName", user, "platformAdmin", false));
        var link = created.at("/oneTimeLink").asString();
        admin.post(
                "/one-time-links/" + link.substring(link.lastIndexOf('/') + 1),
                Map.of("password", RunningServer.PASSWORD));
        admin.put("/teams/" + teamIds.get(name) + "/members/" + user, Map.of("role", "TEAM_ADMIN"), null);
        return this;
    }

    /** Goes on with the teams that another lab on the same database has made. */
    Lab sameTeams(Lab other) {
        teamIds.putAll(other.teamIds);
        return this;
    }

    String teamId(String name) {
        return teamIds.get(name);
    }

    static String userOf(String team) {
        return "user-of-" + team;
    }

    Lab quota(String team, String pool, int guaranteed) {
        var body = Map.of("guaranteed", guaranteed, "weight", 1);
        admin.put("/teams/" + teamIds.get(team) + "/quotas/" + pool, body, "\"0\"");
        return this;
    }

    /** What a cluster needs done when a team is given a volume; it is told the team's id and the volume's name. */
    void onVolume(BiConsumer<String, String> made) {
        madeVolume = made;
    }

    /** A time of the story as this cluster needs it: at least a second. */
    String time(String virtual) {
        var time = PlainDuration.parse(virtual).orElseThrow().dividedBy(slowness);
        return PlainDuration.of(time.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : time);
    }

    /** Gives the team a volume that outlives pods. */
    Lab volume(String team, String name) {
        admin.put("/teams/" + teamIds.get(team) + "/volumes/" + name, Map.of("claim", name, "readOnly", false), null);
        madeVolume.accept(teamIds.get(team), name);
        return this;
    }

    /** Changes values of the policy in force. */
    Lab policy(Map<String, Object> changes) {
        admin.post("/policies", Map.of("values", changes, "why", "a story"));
        return this;
    }

    /** Lets the team use a class that only platform admins grant. */
    Lab grant(String priorityClass, String team, String pool, int cap) {
        var current = named(admin.get("/priority-classes"), priorityClass);
        var body = new HashMap<String, Object>();
        body.put("value", current.at("/value").asInt());
        body.put("usableBy", current.at("/usableBy").asString());
        body.put("acrossTeams", current.at("/acrossTeams").asBoolean());
        body.put("caps", Map.of(pool, cap));
        body.put("grants", List.of(team));
        admin.put("/priority-classes/" + priorityClass, body, null);
        return this;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (var item : list) {
            if (item.at("/name").asString().equals(name)) {
                return item;
            }
        }
        throw new AssertionError("no " + name + " in " + list);
    }

    /** The client of the team's user. */
    StoryClient as(String team) {
        return users.computeIfAbsent(team, t -> StoryClient.signIn(server.url(), userOf(t), RunningServer.PASSWORD));
    }

    StoryClient admin() {
        return admin;
    }

    JobBuilder job(String team) {
        return new JobBuilder(this, team);
    }

    JsonNode job(long id) {
        return admin.get("/jobs/" + id);
    }

    String state(long id) {
        return job(id).at("/job/state").asString();
    }

    List<String> states(List<Long> ids) {
        return ids.stream().map(this::state).toList();
    }

    /** GPUs of the team's jobs that hold some. */
    int allocated(String team) {
        return list("team=" + team + "&state=active").stream()
                .mapToInt(j -> j.at("/gpus").asInt())
                .sum();
    }

    /** All jobs of a query, every page. */
    List<JsonNode> list(String query) {
        var jobs = new ArrayList<JsonNode>();
        @Nullable String cursor = null;
        do {
            var page = admin.get("/jobs?limit=500&" + query + (cursor == null ? "" : "&cursor=" + encode(cursor)));
            page.at("/items").forEach(jobs::add);
            cursor = page.at("/next").isString() ? page.at("/next").asString() : null;
        } while (cursor != null);
        return jobs;
    }

    JsonNode share(String team, String pool) {
        for (var row : admin.get("/shares?pool=" + pool)) {
            if (row.at("/team").asString().equals(team)) {
                return row;
            }
        }
        throw new AssertionError("no share of " + team);
    }

    /** The binding reason why a job waits, or an empty node while it does not. */
    JsonNode reason(long id) {
        return admin.send("GET", "/jobs/" + id + "/explanation", null, Map.of())
                .body()
                .at("/reasons/0");
    }

    String reasonKind(long id) {
        return reason(id).at("/kind").asString("");
    }

    /** Attempts, newest first. */
    JsonNode attempts(long id) {
        return admin.get("/jobs/" + id + "/attempts");
    }

    /** Nodes of the current attempt's replicas, in rank order. */
    List<String> nodes(long id) {
        var nodes = new ArrayList<String>();
        attempts(id).get(0).at("/replicas").forEach(r -> nodes.add(r.at("/node").asString()));
        return nodes;
    }

    /** Domains (block, rack, ..., node) of a node. */
    List<String> domain(String node) {
        var names = new ArrayList<String>();
        admin.get("/nodes/" + node).at("/domain").forEach(n -> names.add(n.asString()));
        return names;
    }

    List<JsonNode> events(long id) {
        var events = new ArrayList<JsonNode>();
        admin.get("/jobs/" + id + "/events?limit=500").at("/items").forEach(events::add);
        return events;
    }

    /** What must hold at every moment, read from the ledger itself. */
    void ledgerHolds() {
        ledger.holds();
    }

    void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    /** Waits in real time; checks the ledger each time it looks. */
    void await(String what, Duration most, BooleanSupplier condition) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            ledgerHolds();
            if (System.nanoTime() > end) {
                throw new AssertionError("still not so after " + most + ": " + what + "\n" + overview());
            }
            sleep();
        }
        ledgerHolds();
    }

    private String overview() {
        var text = new StringBuilder();
        for (var job : list("state=waiting&state=active")) {
            text.append(job.at("/id"))
                    .append(' ')
                    .append(job.at("/team"))
                    .append(' ')
                    .append(job.at("/state"));
            text.append(' ').append(job.at("/headline/sentence").asString("")).append('\n');
        }
        return text.append(admin.get("/shares")).toString();
    }

    static void sleep() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
