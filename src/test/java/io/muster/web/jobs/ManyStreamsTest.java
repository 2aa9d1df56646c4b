package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A thousand listen; one of them does not read; a program prints without end. Memory stays bounded. */
@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManyStreamsTest {
    private static final int STREAMS = 1_000;
    private static final int PER_USER = 50;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final long MEBIBYTE = 1024 * 1024;

    @LocalServerPort
    private int port;

    @Autowired
    private RestGround rest;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private Ground ground;

    @Autowired
    private ClusterObserver observer;

    @Autowired
    private MeterRegistry meters;

    private TeamId vision;
    private long job;

    @BeforeAll
    void settle() {
        ground.pool();
        vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        job = rest.submit("ada", yaml("loud", "vision", 1)).id();
        jdbc.sql("insert into attempt (job_id, number, revision, pool, gpu_type, placed_at)"
                        + " values (?, 1, 1, 'train', 'H100-SXM', now())")
                .param(job)
                .update();
        jdbc.sql("insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes)"
                        + " values (?, 1, 'worker', 0, 0, 'n1', 1, 0, 0)")
                .param(job)
                .update();
        jdbc.sql("update job set attempt = 1 where id = ?").param(job).update();
    }

    @Test
    void aThousandHearTheSameEventAndGoAgain() {
        var heard = new ConcurrentHashMap<String, AtomicInteger>();
        List<CompletableFuture<HttpResponse<Void>>> streams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            String user = "user-" + i / PER_USER;
            if (i % PER_USER == 0) {
                rest.member(user, vision, Role.VIEWER);
            }
            streams.add(listen(user, heard));
        }
        await().atMost(SOON).until(() -> gauge("muster.live.streams") >= STREAMS);
        // Who is counted may not listen yet: from some event on, all hear each.
        await().atMost(SOON).pollInterval(Duration.ofSeconds(2)).until(() -> {
            tell("marker", 1, 10);
            return heard.values().stream().anyMatch(listeners -> listeners.get() == STREAMS);
        });
        assertThat(heard.values()).allMatch(listeners -> listeners.get() <= STREAMS);
        assertThat(rest.get("ada", "/me").status())
                .as("requests still find their way")
                .isEqualTo(200);
        streams.forEach(stream -> stream.cancel(true));
    }

    @Test
    void whoDoesNotReadIsDroppedFromAndNotKeptWaitingFor() throws IOException {
        var heard = new ConcurrentHashMap<String, AtomicInteger>();
        double before = counter("muster.live.dropped");
        try (Socket slow = silentReader("/api/v1/events")) {
            listen("ada", heard);
            await().atMost(SOON).until(() -> gauge("muster.live.streams") >= 2);
            long used = usedMemory();
            // 40,000 events of 4 KB: kept for the one who does not read, they would be more than 300 MiB.
            for (int i = 0; i < 20; i++) {
                tell("flood", 2_000, 4_000);
            }
            await().atMost(SOON).until(() -> counter("muster.live.dropped") > before);
            await().atMost(SOON).until(() -> {
                tell("marker", 1, 10);
                return !heard.isEmpty();
            });
            assertThat(usedMemory() - used).isLessThan(120 * MEBIBYTE);
            assertThat(slow.isConnected()).isTrue();
        }
        assertThat(prometheus()).contains("muster_live_dropped_total", "muster_live_streams");
    }

    @Test
    void aProgramThatPrintsWithoutEndFillsItsShareAndNoMore() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                slow.add(silentReader("/api/v1/jobs/" + job + "/logs"));
            }
            await().atMost(SOON).until(() -> gauge("muster.live.streams") >= 40);
            SseListener reads = SseListener.open(
                    rest.request("ada", "/jobs/" + job + "/logs?tail=1").header("Accept", "text/event-stream"));
            long used = usedMemory();
            var replica = new ReplicaId(new AttemptId(new JobId(job), 1), "worker", 0);
            String line = "x".repeat(8_000);
            // 32 MiB of a share of 8.
            for (int i = 0; i < 40; i++) {
                List<String> lines = IntStream.range(0, 100).mapToObj(n -> line).toList();
                observer.observe(List.of(new ClusterFact.LogLines(replica, i * 100L, lines, Instant.now())));
            }
            reads.hears("dropped ");
            assertThat(usedMemory() - used).isLessThan(100 * MEBIBYTE);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        long kept = number("select sum(raw_bytes) from log_chunk where job_id = " + job);
        assertThat(kept).isBetween(8 * MEBIBYTE, 8 * MEBIBYTE + 8_001);
        assertThat(number("select max(raw_bytes) from log_chunk where job_id = " + job))
                .isLessThan(48 * 1024);
        long dropped = number("select lines from log_dropped where job_id = " + job);
        assertThat(number("select sum(lines) from log_chunk where job_id = " + job) + dropped)
                .isEqualTo(4_000);
        assertThat(rest.get("ada", "/jobs/" + job + "/logs?limit=1")
                        .body()
                        .path("dropped")
                        .asLong())
                .isEqualTo(dropped);
        assertThat(prometheus()).contains("muster_logs_dropped_total " + (double) dropped);
    }

    /** Events that the whole team hears. */
    private void tell(String kind, int events, int size) {
        jdbc.sql("insert into job_event (at, job_id, team_id, attempt, kind, why)"
                        + " select now(), :job, :team, 0, :kind, repeat('y', :size) from generate_series(1, :events)")
                .param("job", job)
                .param("team", vision.value())
                .param("kind", kind)
                .param("size", size)
                .param("events", events)
                .update();
    }

    private CompletableFuture<HttpResponse<Void>> listen(String user, ConcurrentMap<String, AtomicInteger> heard) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/events"))
                .header("Authorization", "Bearer " + rest.secret(user))
                .header("Accept", "text/event-stream")
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.fromLineSubscriber(new Counting(heard)));
    }

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Counts for each event of kind "marker" how many have heard it, and keeps nothing else. */
    private record Counting(ConcurrentMap<String, AtomicInteger> heard) implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.contains("\"kind\":\"marker\"")) {
                heard.computeIfAbsent(line, event -> new AtomicInteger()).incrementAndGet();
            }
        }

        @Override
        public void onError(Throwable e) {}

        @Override
        public void onComplete() {}
    }

    /** Asks, reads that it is let in, and reads no more. */
    private Socket silentReader(String path) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("localhost", port));
        String request =
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "
                        + rest.secret("ada") + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        return socket;
    }

    private double gauge(String name) {
        return Objects.requireNonNull(meters.find(name).gauge()).value();
    }

    private double counter(String name) {
        return Objects.requireNonNull(meters.find(name).counter()).count();
    }

    private String prometheus() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/prometheus"))
                .header("Authorization", "Bearer " + rest.secret("ada"))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long number(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    /** What is still reachable. */
    private static long usedMemory() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
