package io.muster.web.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.RestTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The checked-in document is what the server says of itself. To write it anew:
 * {@code ./mvnw test -Dtest=OpenApiTest -Dmuster.openapi.write=true}, then {@code npm run types} in {@code frontend}.
 */
@RestTest
class OpenApiTest {
    private static final Path FILE = Path.of("openapi/v1.json");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    @LocalServerPort
    private int port;

    @Test
    void theCheckedInDocumentIsWhatTheServerSays() throws IOException {
        String served = JSON.writeValueAsString(served()) + "\n";
        if (Boolean.getBoolean("muster.openapi.write")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, served);
        }

        assertThat(served)
                .as("openapi/v1.json; write it anew: ./mvnw test -Dtest=OpenApiTest -Dmuster.openapi.write=true")
                .isEqualTo(Files.readString(FILE));
    }

    @Test
    void everyOperationAnswersProblemsAndNoSchemaIsOfAnotherLayer() {
        JsonNode api = served();
        assertThat(api.path("openapi").asString()).startsWith("3.1");
        api.path("paths")
                .forEach(path -> path.forEach(operation -> assertThat(operation
                                .path("responses")
                                .path("default")
                                .path("content")
                                .has("application/problem+json"))
                        .isTrue()));
        assertThat(api.path("components").path("schemas").propertyNames())
                .contains("JobDetail", "JobDocument", "ProblemView")
                .doesNotContain("Reader", "Caller", "HttpServletRequest", "SseEmitter");
    }

    private JsonNode served() {
        return JSON.readTree(RestClient.create("http://127.0.0.1:" + port)
                .get()
                .uri("/api/openapi")
                .retrieve()
                .body(byte[].class));
    }
}
