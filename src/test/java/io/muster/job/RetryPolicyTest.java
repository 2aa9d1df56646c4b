package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.policy.PolicyValues;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RetryPolicyTest {
    private static final PolicyValues POLICY = PolicyValues.SHIPPED;

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"NODE_LOST", "GPU_FAULT", "ADMISSION", "START_TIMEOUT", "UNKNOWN", "IMAGE"})
    void aMachinesFaultNeverEatsTheUsersRetries(FailureClass failure) {
        var verdict = RetryPolicy.decide(failure, 0, 0, 0, POLICY);

        assertThat(verdict.then()).isEqualTo(Life.After.QUEUED);
        assertThat(verdict.budget()).isEqualTo(RetryPolicy.Budget.INFRASTRUCTURE);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, FAILED", "1, 0, QUEUED", "1, 1, FAILED", "3, 2, QUEUED"})
    void theUsersOwnFailuresAreRetriedAsOftenAsTheDocumentSays(int allowed, int used, Life.After then) {
        var verdict = RetryPolicy.decide(FailureClass.USER_ERROR, allowed, used, 0, POLICY);

        assertThat(verdict.then()).isEqualTo(then);
        assertThat(verdict.avoidNode()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 20", "2, 40", "6, 600", "9, 600"})
    void backoffDoublesUpToItsLongest(int before, int seconds) {
        assertThat(RetryPolicy.decide(FailureClass.ADMISSION, 0, 0, before, POLICY)
                        .backoff())
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void everyClassHasABudgetOfItsOwn() {
        assertThat(RetryPolicy.decide(FailureClass.NODE_LOST, 0, 0, 9, POLICY).then())
                .isEqualTo(Life.After.QUEUED);
        assertThat(RetryPolicy.decide(FailureClass.NODE_LOST, 0, 0, 10, POLICY).then())
                .isEqualTo(Life.After.FAILED);
        assertThat(RetryPolicy.decide(FailureClass.IMAGE, 0, 0, 3, POLICY).then())
                .isEqualTo(Life.After.FAILED);
    }

    @Test
    void theFirstLossOfANodeIsRetriedAtOnce() {
        assertThat(RetryPolicy.decide(FailureClass.NODE_LOST, 0, 0, 0, POLICY).backoff())
                .isZero();
        assertThat(RetryPolicy.decide(FailureClass.NODE_LOST, 0, 0, 1, POLICY).backoff())
                .isEqualTo(POLICY.backoffFirst());
    }
}
