package io.muster.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.muster.Muster;
import io.muster.support.Database;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.core.env.MapPropertySource;

class ClusterTypeTest {
    @Test
    void aMistypedKindOfClusterEndsTheStartAndIsNamed() {
        try (var database = Database.fresh()) {
            var server = new SpringApplicationBuilder(Muster.class)
                    .initializers(context -> context.getEnvironment()
                            .getPropertySources()
                            .addFirst(new MapPropertySource("test database", new HashMap<>(database.properties()))));

            var failure = catchThrowableOfType(
                    ClusterTypeException.class,
                    () -> server.run("--server.port=0", "--muster.cluster.type=kubernets")
                            .close());

            var analysis = new ClusterTypeAnalyzer().analyze(failure);
            assertThat(analysis.getDescription()).contains("muster.cluster.type", "kubernets");
            assertThat(analysis.getAction()).contains("muster.cluster.type", "virtual", "kubernetes");
        }
    }
}
