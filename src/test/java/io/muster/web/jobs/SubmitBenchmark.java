package io.muster.web.jobs;

import static io.muster.web.jobs.RestGround.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.Ground;
import io.muster.support.RestTest;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/**
 * Submits 100 jobs a second over HTTP, each with a key of its own, to a real server and database:
 * {@code ./mvnw test -Dskip.frontend -Dtest.jvm= -Dtest=SubmitBenchmark}. The target is a p99 under 50 ms.
 */
@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubmitBenchmark {
    private static final int PER_SECOND = 100;
    private static final int SECONDS = 20;
    private static final int WARM_UP = 1500;

    @Autowired
    private RestGround rest;

    @Autowired
    private Ground ground;

    @BeforeAll
    void settle() {
        ground.pool();
        for (int i = 0; i < 100; i++) {
            ground.node("n" + i, "r" + i / 10);
        }
        TeamId vision = rest.team("vision");
        rest.member("ada", vision, Role.MEMBER);
        for (int i = 0; i < WARM_UP; i++) {
            assertThat(rest.submit("ada", yaml("warm", "vision", 1)).status()).isEqualTo(201);
        }
    }

    @Test
    void submissionsAreQuick() throws Exception {
        List<Future<Duration>> calls = new ArrayList<>();
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < PER_SECOND * SECONDS; i++) {
                long due = start + i * (1_000_000_000L / PER_SECOND);
                LockSupport.parkNanos(due - System.nanoTime());
                String key = "bench-" + i;
                // From when it was due: a server that falls behind is not forgiven.
                calls.add(threads.submit(() -> {
                    assertThat(rest.submit("ada", yaml("bench", "vision", 8) + "replicas: 4\n", key)
                                    .status())
                            .isEqualTo(201);
                    return Duration.ofNanos(System.nanoTime() - due);
                }));
            }
        }
        List<Duration> took = new ArrayList<>();
        for (Future<Duration> call : calls) {
            took.add(call.get());
        }
        took.sort(null);
        // Of server and client together, without the database: what it says does not depend on who else is at work.
        double cpuEach = (process.getProcessCpuTime() - cpu) / 1e6 / took.size();
        System.out.printf(
                "submit at %d/s: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, worst %.1f ms; %.1f ms of CPU each%n",
                PER_SECOND, at(took, 50), at(took, 95), at(took, 99), at(took, 100), cpuEach);
        assertThat(at(took, 99)).isLessThan(50);
    }

    private static double at(List<Duration> sorted, int percent) {
        int index = Math.min(sorted.size() - 1, sorted.size() * percent / 100);
        return sorted.get(index).toNanos() / 1e6;
    }
}
