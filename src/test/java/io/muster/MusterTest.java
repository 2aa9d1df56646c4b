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
}
