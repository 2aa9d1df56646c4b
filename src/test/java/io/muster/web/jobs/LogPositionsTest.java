package io.muster.web.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.web.problem.Problem;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogPositionsTest {
    @Test
    void positionsAreReadAsWritten() {
        var positions = new TreeMap<>(Map.of("worker-0", 17L, "worker-2", 5_000_000_000L, "a-b-1", 3L, "a-b-0", 0L));

        var read = LogPositions.read(LogPositions.write(positions));

        assertThat(read).containsAllEntriesOf(positions);
        assertThat(read.get("worker-1")).as("nothing is known of it").isZero();
        assertThat(LogPositions.read(LogPositions.write(new TreeMap<>()))).isEmpty();
    }

    @Test
    void thousandsOfReplicasThatPrintAlikeFitIntoARequest() {
        var positions = new TreeMap<String, Long>();
        for (int i = 0; i < 4096; i++) {
            positions.put("worker-" + i, 1_000_000L + i % 97);
        }

        String text = LogPositions.write(positions);

        assertThat(text.length()).isLessThan(16 * 1024);
        assertThat(LogPositions.read(text)).isEqualTo(positions);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker",
                "worker:1",
                "worker:1:",
                "WORKER:1:1",
                "worker:zzzzzzzzzzzzz:1",
                "worker:1:1,,",
                "worker:zzzzzzzzzzzz:zzzzzzzzzzzzzz"
            })
    void nonsenseIsRefused(String text) {
        assertThatThrownBy(() -> LogPositions.read(text)).isInstanceOf(Problem.class);
    }
}
