package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.CommandOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiErrorsTest {

    private final ApiErrors errors = new ApiErrors();

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(textBlock = """
            400, admission webhook denied the request
            403, pods "x" is forbidden: violates PodSecurity "restricted:latest"
            403, pods "x" is forbidden: exceeded quota
            403, admission webhook "images" denied the request: images of that registry cannot be used
            413, Request entity too large
            422, Pod "x" is invalid
            """)
    void whatTheApiServerHasTurnedDownIsRefused(int code, String message) {
        assertThat(errors.outcome(answer(code, message, null))).isInstanceOf(CommandOutcome.Refused.class);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(textBlock = """
            401, Unauthorized
            403, pods is forbidden: User "x" cannot create resource "pods"
            403, pods "x" is forbidden: no PriorityClass with name muster was found
            403, pods "x" is forbidden: error looking up service account
            403, unable to create new content in namespace x because it is being terminated
            404, namespaces "x" not found
            409, the object has been modified
            429, too many requests
            500, etcdserver: leader changed
            503, apiserver not ready
            504, timeout
            """)
    void whatMayBeOtherwiseLaterIsLeftForLater(int code, String message) {
        assertThat(errors.outcome(answer(code, message, null))).isInstanceOf(CommandOutcome.Later.class);
    }

    @Test
    void noAnswerIsUnknown() {
        assertThat(errors.outcome(new KubernetesClientException("no answer", new IOException("timed out"))))
                .isInstanceOf(CommandOutcome.Later.class);
    }

    @Test
    void waitsGrowVaryAndEndWithSuccess() {
        var waits = new HashSet<Duration>();
        for (int i = 0; i < 20; i++) {
            waits.add(wait(answer(503, "away", null)));
        }
        assertThat(waits).hasSizeGreaterThan(10).allMatch(wait -> wait.compareTo(Duration.ofSeconds(45)) <= 0);
        assertThat(wait(answer(503, "away", null))).isGreaterThan(Duration.ofSeconds(10));
        errors.worked();
        assertThat(wait(answer(503, "away", null))).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void theApiServersOwnWishCounts() {
        assertThat(wait(answer(429, "slow down", 8))).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(12));
    }

    private Duration wait(KubernetesClientException e) {
        return ((CommandOutcome.Later) errors.outcome(e)).delay();
    }

    private static KubernetesClientException answer(int code, String message, Integer retryAfter) {
        var status = new StatusBuilder()
                .withCode(code)
                .withMessage(message)
                .withNewDetails()
                .withRetryAfterSeconds(retryAfter)
                .endDetails()
                .build();
        return new KubernetesClientException(message, code, status);
    }
}
