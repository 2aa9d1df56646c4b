package io.muster.job.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    private static final List<String> KNOWN =
            List.of("checkpoint", "command", "env", "gpu", "replicas", "sharedMemory", "walltime");

    @ParameterizedTest
    @CsvSource({
        "replica,replicas",
        "Replicas,replicas",
        "chekpoint,checkpoint",
        "shared_memory,sharedMemory",
        "wall-time,walltime",
        "gpus,gpu",
        "comand,command",
    })
    void namesWhatWasMeant(String written, String meant) {
        assertThat(Spelling.nearest(written, KNOWN)).isEqualTo(meant);
    }

    @Test
    void guessesNothingFromAfar() {
        assertThat(Spelling.nearest("hostPath", KNOWN)).isEmpty();
        assertThat(Spelling.nearest("x", KNOWN)).isEmpty();
        assertThat(Spelling.nearest("replicas".repeat(20_000), KNOWN)).isEmpty();
    }
}
