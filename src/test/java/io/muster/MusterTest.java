package io.muster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.support.ServerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;

@ServerTest
class MusterTest {
    @LocalServerPort
    private int port;

    @Test
    void theServerBecomesReady() {
        await().atMost(Duration.ofMinutes(1)).until(this::readiness, health -> health.contains("\"status\":\"UP\""));
    }

    private String readiness() {
        return RestClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/actuator/health/readiness")
                .retrieve()
                .onStatus(HttpStatusCode::isError, (request, notYet) -> {})
                .requiredBody(String.class);
    }

    @Test
    void theAddressItPrintsCanBeOpened() {
        assertThat(Muster.url("127.0.0.1", "8080")).isEqualTo("http://localhost:8080");
        assertThat(Muster.url("0.0.0.0", "8080")).isEqualTo("http://localhost:8080");
        assertThat(Muster.url("::1", "8080")).isEqualTo("http://[::1]:8080");
        assertThat(Muster.url("gpu.example", "80")).isEqualTo("http://gpu.example:80");
    }
}
