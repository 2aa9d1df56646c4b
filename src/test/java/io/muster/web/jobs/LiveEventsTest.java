package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.job.LogStore;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.security.ApiTokens;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.AccessRevoked;
import io.muster.tenancy.TenancyAdmin;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;

@RestTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveEventsTest {
    @LocalServerPort
    private int port;

    @Autowired
    private ApiTokens tokens;

    @Autowired
    private TenancyAdmin tenancy;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private DataSource database;

    @Autowired
    private Ground ground;

    @Autowired
    private LogStore logs;

    @Autowired
    private ApplicationEventPublisher publisher;

    private RestGround rest;
    private UserId eve;

    /** A stream as it comes in: one entry per event, with its id, name and data. */
    private final class Listener {
        final List<String> events = new CopyOnWriteArrayList<>();
        volatile String lastId = "";
        volatile boolean ended;

        Listener(String user, String path, @Nullable String last) {
            var request = rest.request(user, path).header("Accept", "text/event-stream");
            if (last != null) {
                request.header("Last-Event-ID", last);
            }
            HttpResponse<Stream<String>> response = rest.http()
                    .sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                    .join();
            assertThat(response.statusCode()).isEqualTo(200);
            Thread.ofVirtual().start(() -> read(response.body()));
        }

        private void read(Stream<String> lines) {
            String[] name = {""};
            try {
                lines.forEach(line -> {
                    if (line.startsWith("event:")) {
                        name[0] = line.substring(6).strip();
                    } else if (line.startsWith("id:")) {
                        lastId = line.substring(3).strip();
                    } else if (line.startsWith("data:")) {
                        events.add(name[0] + " " + line.substring(5));
                    }
                });
            } catch (RuntimeException e) {
                // A stream that is cut is an end too.
            }
            ended = true;
        }

        void hears(String... parts) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> events.stream().anyMatch(e -> Stream.of(parts).allMatch(e::contains)));
        }

        long count(String part) {
            return events.stream().filter(e -> e.contains(part)).count();
        }
    }

    @BeforeAll
    void settle() {
        rest = new RestGround(port, tokens, tenancy);
        ground.pool();
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        eve = rest.member("eve", vision, Role.VIEWER);
        rest.member("rob", rest.team("robotics"), Role.MEMBER);
    }

    @Test
    void whatHappensIsHeardAndRedacted() {
        Listener own = new Listener("ada", "/events", null);
        Listener other = new Listener("rob", "/events", null);
        long id = rest.submit("ada", yaml("hush", "vision", 1)).id();
        own.hears("job ", "\"job\":" + id, "\"to\":\"QUEUED\"", "\"actor\":\"ada\"");
        rest.post("ada", "/jobs/" + id + "/hold", "{\"why\":\"my own reason\"}");
        own.hears("my own reason");
        other.hears("\"job\":" + id, "\"to\":\"HELD\"");
        assertThat(other.events).noneMatch(e -> e.contains("ada") || e.contains("reason") || e.contains("hush"));
    }

    @Test
    void whoComesBackHearsWhatTheyMissedOnce() {
        Listener first = new Listener("ada", "/events", null);
        long id = rest.submit("ada", yaml("x", "vision", 1)).id();
        first.hears("\"job\":" + id + ",");
        String last = first.lastId;
        List<Long> missed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            missed.add(rest.submit("ada", yaml("x", "vision", 1)).id());
        }
        Listener again = new Listener("ada", "/events", last);
        missed.forEach(m -> again.hears("\"job\":" + m + ","));
        long fresh = rest.submit("ada", yaml("x", "vision", 1)).id();
        again.hears("\"job\":" + fresh + ",");
        missed.forEach(m -> assertThat(again.count("\"job\":" + m + ",")).isEqualTo(1));
        assertThat(again.count("\"job\":" + id + ",")).isZero();
        assertThat(again.count("resync")).isZero();
    }

    @Test
    void anIdThatIsNoneOfOursMeansReadAgain() {
        Listener lost = new Listener("ada", "/events", "nonsense");
        lost.hears("resync");
    }

    /** A transaction that drew its event's id early and commits late. */
    @Test
    void anEventThatCommitsLateIsNotMissed() throws Exception {
        long slow = rest.submit("ada", yaml("slow", "vision", 1)).id();
        Listener listener = new Listener("ada", "/events", null);
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("insert into job_event (at, job_id, team_id, attempt, kind, why)"
                        + " select now(), id, team_id, 0, 'late-one', 'test' from job where id = " + slow);
            }
            long quick = rest.submit("ada", yaml("quick", "vision", 1)).id();
            Thread.sleep(1500);
            assertThat(listener.count("\"job\":" + quick + ","))
                    .as("nothing overtakes what is open")
                    .isZero();
            connection.commit();
            listener.hears("late-one");
            listener.hears("\"job\":" + quick + ",");
        }
    }

    @Test
    void whoIsSignedOutHearsNoMore() {
        Listener listener = new Listener("eve", "/events", null);
        long id = rest.submit("ada", yaml("x", "vision", 1)).id();
        listener.hears("\"job\":" + id + ",");
        publisher.publishEvent(new AccessRevoked(eve, null));
        await().atMost(Duration.ofSeconds(5)).until(() -> listener.ended);
        long later = rest.submit("ada", yaml("x", "vision", 1)).id();
        assertThat(listener.count("\"job\":" + later + ",")).isZero();
    }

    @Test
    void logsAreReadInPagesSearchedAndFollowed() {
        long id = rest.submit("ada", yaml("x", "vision", 1)).id();
        AttemptId attempt = new AttemptId(new JobId(id), 1);
        jdbc.sql(
                        "insert into attempt (job_id, number, revision, pool, gpu_type, placed_at) values (?, 1, 1, 'train', 'H100-SXM', now())")
                .param(id)
                .update();
        jdbc.sql("update job set attempt = 1 where id = ?").param(id).update();
        for (int i = 0; i < 2; i++) {
            jdbc.sql("insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes)"
                            + " values (?, 1, 'worker', ?, ?, 'n1', 1, 0, 0)")
                    .params(id, i, i)
                    .update();
        }
        print(attempt, 0, 0, 1200);
        print(attempt, 1, 0, 3);

        List<String> lines = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < 9; page++) {
            var body = rest.get("ada", "/jobs/" + id + "/logs?limit=500&cursor=" + cursor)
                    .body();
            body.path("lines")
                    .forEach(l -> lines.add(
                            l.path("replica").asString() + ":" + l.path("line").asLong()));
            cursor = body.path("next").asString("");
        }
        assertThat(lines).hasSize(1203).doesNotHaveDuplicates();
        assertThat(lines.stream().filter(l -> l.startsWith("worker-0:")).toList())
                .isEqualTo(
                        IntStream.range(0, 1200).mapToObj(i -> "worker-0:" + i).toList());

        var found = rest.get("ada", "/jobs/" + id + "/logs?q=STEP%20777&replica=worker-0")
                .body();
        assertThat(found.path("lines").size()).isEqualTo(1);
        var tail =
                rest.get("ada", "/jobs/" + id + "/logs?tail=2&replica=worker-0").body();
        assertThat(tail.path("lines").path(1).path("line").asLong()).isEqualTo(1199);

        Listener live = new Listener("ada", "/jobs/" + id + "/logs?tail=1&replica=worker-1", null);
        live.hears("log ", "\"line\":2");
        print(attempt, 1, 3, 2);
        live.hears("log ", "\"line\":4");
        jdbc.sql("update attempt set ended_at = now() where job_id = ?")
                .param(id)
                .update();
        live.hears("end ");
        await().atMost(Duration.ofSeconds(5)).until(() -> live.ended);
        assertThat(live.count("log ")).isEqualTo(3);
        assertThat(rest.send("rob", "GET", "/jobs/" + id + "/logs", null, null, Map.of("Accept", "text/event-stream"))
                        .status())
                .isEqualTo(404);
    }

    private void print(AttemptId attempt, int replica, int from, int lines) {
        logs.append(List.of(new LogStore.Printed(
                new ReplicaId(attempt, "worker", replica),
                from,
                IntStream.range(from, from + lines).mapToObj(i -> "step " + i).toList(),
                Instant.parse("2026-03-02T08:00:00Z").plusSeconds(from))));
    }
}
