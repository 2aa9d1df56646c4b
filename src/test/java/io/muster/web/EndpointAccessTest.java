package io.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.inventory.FleetAdmin;
import io.muster.inventory.NodeReport;
import io.muster.inventory.NodeReports;
import io.muster.inventory.Pool;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.policy.ModeEntry;
import io.muster.policy.ModeSwitch;
import io.muster.security.ApiTokens;
import io.muster.security.AttemptTokens;
import io.muster.security.Passwords;
import io.muster.security.TokenScope;
import io.muster.support.Browser;
import io.muster.support.ServerTest;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.TenancyAdmin;
import io.muster.web.AccessTable.Row;
import io.muster.web.AccessTable.Who;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Walks every endpoint as everybody. */
@ServerTest
@TestPropertySource(properties = "muster.admin-password=access-admin-password")
class EndpointAccessTest {
    private static final String PASSWORD = "walks every endpoint";

    @LocalServerPort
    int port;

    @Autowired
    @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mappings;

    @Autowired
    TenancyAdmin tenancy;

    @Autowired
    PrincipalEditor principals;

    @Autowired
    People people;

    @Autowired
    Passwords passwords;

    @Autowired
    ApiTokens tokens;

    @Autowired
    AttemptTokens attempts;

    @Autowired
    FleetAdmin fleet;

    @Autowired
    NodeReports nodes;

    @Autowired
    ModeSwitch modes;

    private final Map<Who, Browser> everybody = new EnumMap<>(Who.class);
    private final Map<String, String> things = new TreeMap<>();

    private void ground() {
        TeamId above =
                tenancy.ensureTeam(null, new TeamPath("access"), "Access").id();
        TeamId team =
                tenancy.ensureTeam(null, new TeamPath("access/inner"), "Inner").id();
        TeamId other =
                tenancy.ensureTeam(null, new TeamPath("foreign"), "Foreign").id();
        Person member = person("access-member", team, Role.MEMBER);
        Person admin = person("access-team-admin", team, Role.TEAM_ADMIN);
        person("access-foreign", other, Role.TEAM_ADMIN);
        person("access-viewer", team, Role.VIEWER);
        person("access-above", above, Role.TEAM_ADMIN);
        fleetWithOneNode();
        // The job is to stay as it is while everybody tries to act on it.
        modes.order(null, "test", ModeEntry.Mode.PAUSED, null, team, "a test");

        person("access-none", null, Role.VIEWER);
        Person service = principals.createServiceAccount(null, team, "access-service");
        Person platform = people.find("admin").orElseThrow();

        everybody.put(Who.ANONYMOUS, anonymous());
        everybody.put(Who.OUT, Browser.of(port, out(team)));
        everybody.put(Who.NO_TEAM, Browser.signedIn(port, "access-none", PASSWORD));
        everybody.put(Who.SERVICE_ACCOUNT, Browser.of(port, token(service, TokenScope.ADMIN)));
        everybody.put(Who.FENCED_ADMIN_TOKEN, Browser.of(port, fenced(platform, other)));
        everybody.put(Who.FOREIGN, Browser.signedIn(port, "access-foreign", PASSWORD));
        everybody.put(Who.VIEWER, Browser.signedIn(port, "access-viewer", PASSWORD));
        everybody.put(Who.MEMBER, Browser.signedIn(port, "access-member", PASSWORD));
        everybody.put(Who.TEAM_ADMIN, Browser.signedIn(port, "access-team-admin", PASSWORD));
        everybody.put(Who.ABOVE_ADMIN, Browser.signedIn(port, "access-above", PASSWORD));
        everybody.put(Who.PLATFORM_ADMIN, Browser.signedIn(port, "admin", "access-admin-password"));
        everybody.put(Who.READ_TOKEN, Browser.of(port, token(admin, TokenScope.READ)));
        everybody.put(Who.SUBMIT_TOKEN, Browser.of(port, token(member, TokenScope.SUBMIT)));
        long job = job(browser(Who.MEMBER));
        everybody.put(Who.ATTEMPT, Browser.of(port, attempts.tokenFor(new AttemptId(new JobId(job), 1))));

        things.put("$team", team.value().toString());
        things.put("$path", "access/inner");
        things.put("$job", Long.toString(job));
        things.put("$nothing", new UUID(0, 7).toString());
        things.put("$mode", Long.toString(modes.inForce().getFirst().id()));
    }

    @Test
    void everyEndpointLetsInWhomItsRowSays() {
        ground();
        var wrong = new ArrayList<String>();
        for (Row row : AccessTable.rows()) {
            // A server that lacks an endpoint says so in the other test.
            if (!mapped().contains(row.endpoint())) continue;
            everybody.forEach((who, browser) -> {
                int status = call(row, browser);
                if (!fits(row, who, status)) {
                    wrong.add(row.endpoint() + " as " + who + ": " + status + ", not "
                            + row.answers().get(who));
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyEndpointHasItsRow() {
        var known = new TreeSet<>(AccessTable.ELSEWHERE);
        AccessTable.rows().forEach(row -> known.add(row.endpoint()));

        assertThat(mapped()).isSubsetOf(known);
    }

    private int call(Row row, Browser browser) {
        String path = row.path();
        for (var thing : things.entrySet()) path = path.replace(thing.getKey(), thing.getValue());
        Map<String, String> headers = row.method().equals("PATCH")
                ? Map.of("Content-Type", "application/merge-patch+json")
                : row.method().equals("PUT") || row.method().equals("DELETE")
                        ? Map.of("If-Match", "\"987\"")
                        : Map.of();
        return browser.send(row.method(), path, AccessTable.filled(row.body(), things), headers)
                .status();
    }

    private static boolean fits(Row row, Who who, int status) {
        return switch (row.answers().get(who)) {
            case ALLOWED ->
                row.allowed().contains(status)
                        || status < 500 && status != 401 && status != 403 && status != 404 && status != 405;
            case UNAUTHENTICATED -> status == 401;
            case FORBIDDEN -> status == 403;
            case HIDDEN -> status == 404;
        };
    }

    private TreeSet<String> mapped() {
        var mapped = new TreeSet<String>();
        mappings.getHandlerMethods().keySet().forEach(info -> {
            for (String pattern : info.getPatternValues()) {
                if (!pattern.startsWith("/api/v1")) continue;
                info.getMethodsCondition().getMethods().forEach(method -> mapped.add(method + " " + pattern));
            }
        });
        return mapped;
    }

    private Browser anonymous() {
        var browser = Browser.of(port);
        browser.get("/api/v1/me");
        return browser;
    }

    private Person person(String name, @Nullable TeamId team, Role role) {
        Person person = tenancy.ensureUser(null, name, name, false);
        passwords.set(person.id(), name, PASSWORD, false);
        if (team != null) tenancy.ensureMember(null, team, person.id(), role);
        return person;
    }

    /** The token of a team admin who was disabled since. */
    private String out(TeamId team) {
        Person person = person("access-out", team, Role.TEAM_ADMIN);
        String token = token(person, TokenScope.ADMIN);
        principals.disable(null, person.id());
        return token;
    }

    private String fenced(Person owner, TeamId team) {
        return tokens.create(owner.id(), owner.id(), "fenced", TokenScope.ADMIN, team, Duration.ofHours(1))
                .secret();
    }

    private String token(Person owner, TokenScope scope) {
        return tokens.create(owner.id(), owner.id(), "walk", scope, null, Duration.ofHours(1))
                .secret();
    }

    private void fleetWithOneNode() {
        fleet.ensurePool(
                null,
                new Pool(
                        new PoolId("access"),
                        "Access",
                        Map.of("pool", "access"),
                        List.of(new Pool.Level("node", "kubernetes.io/hostname")),
                        PodProfile.SHIPPED,
                        0));
        nodes.seen(new NodeReport(
                new NodeId("access-n1"),
                Map.of("pool", "access", "nvidia.com/gpu.product", "NVIDIA-L4"),
                List.of(),
                Map.of("nvidia.com/gpu", 4L, "cpu", 64_000L, "memory", 64L << 30),
                true,
                false,
                List.of(),
                // Newer than any list that the virtual cluster makes: that must not call it gone.
                Instant.parse("2100-01-01T00:00:00Z")));
    }

    private static long job(Browser member) {
        var submitted = member.post(
                "/api/v1/jobs",
                Map.of(
                        "name", "walk",
                        "team", "access/inner",
                        "image", "images.example/walk:1",
                        "command", List.of("true"),
                        "pool", "access",
                        "resources", Map.of("gpus", 1, "cpus", "100m", "memory", "1Gi")));
        assertThat(submitted.status()).as(submitted.text()).isEqualTo(201);
        return submitted.body().path("job").path("id").asLong();
    }

    private Browser browser(Who who) {
        return java.util.Objects.requireNonNull(everybody.get(who));
    }
}
