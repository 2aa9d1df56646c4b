package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.model.Role;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import io.muster.web.jobs.RestGround.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** A server that cannot answer says so at once and says when to come again; it never answers a bare error. */
@RestTest
@Import(RestGround.class)
@TestPropertySource(
        properties = {
            "spring.datasource.hikari.connection-timeout=1500",
            "muster.requests.most=3",
            "muster.requests.patience=100ms"
        })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverloadTest {
    @LocalServerPort
    private int port;

    @Autowired
    private RestGround rest;

    @Autowired
    private Ground ground;

    @Autowired
    private DataSource database;

    @Autowired
    private MeterRegistry meters;

    @BeforeAll
    void settle() {
        ground.pool();
        rest.member("ada", rest.team("vision"), Role.MEMBER);
        assertThat(rest.submit("ada", yaml("warm", "vision", 1)).status()).isEqualTo(201);
    }

    @Test
    void whileNoConnectionIsLeftEveryRequestIsToldToComeAgain() throws Exception {
        List<Connection> all = allConnections();
        try {
            unavailable(rest.get("ada", "/me"), "unavailable");
            unavailable(rest.get("ada", "/jobs?state=waiting"), "unavailable");
            unavailable(rest.submit("ada", yaml("x", "vision", 1), "key"), "unavailable");
            unavailable(rest.send("ada", "GET", "/me", null, null, Map.of("Accept", "text/html")), "unavailable");
            var session = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/me"))
                    .header("Cookie", "MUSTER_SESSION=NTE0MDk4YzYtZmY5Yi00YzQyLWI3ZjAtMDAwMDAwMDAwMDAw")
                    .build();
            var answer = rest.http().send(session, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.body()).contains("https://muster.dev/problems/unavailable");
        } finally {
            for (Connection each : all) {
                each.close();
            }
        }
        assertThat(rest.submit("ada", yaml("x", "vision", 1), "key").status()).isEqualTo(201);
    }

    @Test
    void moreRequestsThanAreServedAtOnceAreRefusedAndNotQueued() throws Exception {
        List<Future<Answer>> held = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (Connection lock = database.getConnection()) {
                lock.setAutoCommit(false);
                lock.createStatement().execute("lock table job_document in exclusive mode");
                for (int i = 0; i < 3; i++) {
                    held.add(threads.submit(() -> rest.submit("ada", yaml("held", "vision", 1))));
                }
                await().atMost(Duration.ofMinutes(1))
                        .until(() ->
                                meters.get("muster.requests.served").gauge().value() == 3);

                unavailable(rest.get("ada", "/me"), "overloaded");
                unavailable(rest.submit("ada", yaml("x", "vision", 1)), "overloaded");
                assertThat(meters.get("muster.requests.refused").counter().count())
                        .isEqualTo(2);
                var page = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health/liveness"))
                        .build();
                assertThat(rest.http().send(page, BodyHandlers.ofString()).statusCode())
                        .as("whoever looks after the server finds it alive")
                        .isEqualTo(200);
                lock.rollback();
                lock.setAutoCommit(true);
            }
            for (Future<Answer> each : held) {
                assertThat(each.get().status()).isEqualTo(201);
            }
        }
        await().atMost(Duration.ofMinutes(1))
                .until(() -> meters.get("muster.requests.served").gauge().value() == 0);
        assertThat(rest.get("ada", "/me").status()).isEqualTo(200);
    }

    private List<Connection> allConnections() throws SQLException {
        List<Connection> all = new ArrayList<>();
        while (true) {
            try {
                all.add(database.getConnection());
            } catch (SQLTransientConnectionException none) {
                return all;
            }
        }
    }

    private static void unavailable(Answer answer, String type) {
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(503);
        assertThat(answer.type()).isEqualTo(type);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.raw().headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.raw().headers().firstValue("Retry-After").map(Integer::valueOf))
                .hasValueSatisfying(seconds -> assertThat(seconds).isBetween(1, 60));
    }
}
