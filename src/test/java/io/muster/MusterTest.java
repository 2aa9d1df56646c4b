package io.muster;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.ServerTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;

@ServerTest
class MusterTest {
    @LocalServerPort
    private int port;

    @Test
    void theServerBecomesReady() {
        var health = RestClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/actuator/health/readiness")
                .retrieve()
                .body(String.class);

        assertThat(health).contains("\"status\":\"UP\"");
    }

    @Test
    void theAddressItPrintsCanBeOpened() {
        assertThat(Muster.url("127.0.0.1", "8080")).isEqualTo("http://localhost:8080");
        assertThat(Muster.url("0.0.0.0", "8080")).isEqualTo("http://localhost:8080");
        assertThat(Muster.url("::1", "8080")).isEqualTo("http://[::1]:8080");
        assertThat(Muster.url("gpu.example", "80")).isEqualTo("http://gpu.example:80");
    }
}
