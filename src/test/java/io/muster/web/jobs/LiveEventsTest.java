package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.LogStore;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.tenancy.AccessRevoked;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveEventsTest {
    @Autowired
    private RestGround rest;

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

    private UserId eve;

    @BeforeAll
    void settle() {
        ground.pool();
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        eve = rest.member("eve", vision, Role.VIEWER);
        rest.member("rob", rest.team("robotics"), Role.MEMBER);
    }

    @Test
    void whatHappensIsHeardAndRedacted() {
        SseListener own = listens("ada", "/events");
        SseListener other = listens("rob", "/events");
        long id = rest.submit("ada", yaml("hush", "vision", 1)).id();
        own.hears("job ", "\"job\":" + id, "\"to\":\"QUEUED\"", "\"actor\":\"ada\"");
        rest.post("ada", "/jobs/" + id + "/hold", "{\"why\":\"my own reason\"}");
        own.hears("my own reason");
        other.hears("\"job\":" + id, "\"to\":\"HELD\"");
        assertThat(other.events()).noneMatch(e -> e.contains("ada") || e.contains("reason") || e.contains("hush"));
    }

    @Test
    void whoComesBackHearsWhatTheyMissedOnce() {
        SseListener first = listens("ada", "/events");
        long id = rest.submit("ada", yaml("x", "vision", 1)).id();
        first.hears("\"job\":" + id + ",");
        String last = first.lastId();
        List<Long> missed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            missed.add(rest.submit("ada", yaml("x", "vision", 1)).id());
        }
        SseListener again = SseListener.open(asks("ada", "/events").header("Last-Event-ID", last));
        missed.forEach(m -> again.hears("\"job\":" + m + ","));
        long fresh = rest.submit("ada", yaml("x", "vision", 1)).id();
        again.hears("\"job\":" + fresh + ",");
        missed.forEach(m -> assertThat(again.count("\"job\":" + m + ",")).isEqualTo(1));
        assertThat(again.count("\"job\":" + id + ",")).isZero();
        assertThat(again.count("resync")).isZero();
    }

    @Test
    void anIdThatIsNoneOfOursMeansReadAgain() {
        SseListener lost = SseListener.open(asks("ada", "/events").header("Last-Event-ID", "nonsense"));
        lost.hears("resync");
    }

    /** A transaction that drew its event's id early and commits late. */
    @Test
    void anEventThatCommitsLateIsNotMissed() throws Exception {
        long slow = rest.submit("ada", yaml("slow", "vision", 1)).id();
        SseListener listener = listens("ada", "/events");
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
        SseListener listener = listens("eve", "/events");
        long id = rest.submit("ada", yaml("x", "vision", 1)).id();
        listener.hears("\"job\":" + id + ",");
        publisher.publishEvent(new AccessRevoked(eve, null));
        listener.ends();
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

        SseListener live = listens("ada", "/jobs/" + id + "/logs?tail=1&replica=worker-1");
        live.hears("log ", "\"line\":2");
        print(attempt, 1, 3, 2);
        live.hears("log ", "\"line\":4");
        jdbc.sql("update attempt set ended_at = now() where job_id = ?")
                .param(id)
                .update();
        live.hears("end ");
        live.ends();
        assertThat(live.count("log ")).isEqualTo(3);
        assertThat(rest.send("rob", "GET", "/jobs/" + id + "/logs", null, null, Map.of("Accept", "text/event-stream"))
                        .status())
                .isEqualTo(404);
    }

    private HttpRequest.Builder asks(String user, String path) {
        return rest.request(user, path).header("Accept", "text/event-stream");
    }

    private SseListener listens(String user, String path) {
        return SseListener.open(asks(user, path));
    }

    private void print(AttemptId attempt, int replica, int from, int lines) {
        logs.append(List.of(new LogStore.Printed(
                new ReplicaId(attempt, "worker", replica),
                from,
                IntStream.range(from, from + lines).mapToObj(i -> "step " + i).toList(),
                Instant.parse("2026-03-02T08:00:00Z").plusSeconds(from))));
    }
}
