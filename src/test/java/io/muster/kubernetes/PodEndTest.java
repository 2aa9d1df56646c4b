package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.muster.model.FailureClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodEndTest {

    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(textBlock = """
            Evicted, The node was low on resource: memory., NODE_LOST
            Evicted, Usage of EmptyDir volume "scratch-2" exceeds the limit "1Gi"., USER_ERROR
            Evicted, Pod ephemeral local storage usage exceeds the total limit of containers 1Gi., USER_ERROR
            UnexpectedAdmissionError, Allocate failed, ADMISSION
            OutOfcpu, Node didn't have enough resource, ADMISSION
            OutOfnvidia.com/gpu, Node didn't have enough resource, ADMISSION
            NodeAffinity, Pod was rejected, ADMISSION
            NodeShutdown, Pod was rejected as the node is shutting down., NODE_LOST
            Terminated, Pod was terminated in response to imminent node shutdown., NODE_LOST
            DeadlineExceeded, Pod was active on the node longer than the specified deadline, DEADLINE
            """)
    void thePodsReasonDecidesFirst(String reason, String message, FailureClass expected) {
        assertThat(of(reason, message, ended(1, "Error", null))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1} {2} is {3}")
    @CsvSource(nullValues = "-", textBlock = """
            1,   Error,                  -,                                               USER_ERROR
            137, OOMKilled,              -,                                               OUT_OF_MEMORY
            137, Error,                  -,                                               UNKNOWN
            143, Error,                  -,                                               UNKNOWN
            139, Error,                  -,                                               USER_ERROR
            137, ContainerStatusUnknown, The container could not be located,              NODE_LOST
            127, StartError,             exec: "torchrun": executable file not found,     USER_ERROR
            128, StartError,             nvidia-container-cli: initialization error,      GPU_FAULT
            """)
    void theContainersEndDecidesSecond(int exitCode, String reason, String message, FailureClass expected) {
        assertThat(of(null, null, ended(exitCode, reason, message))).isEqualTo(expected);
    }

    @Test
    void aPodThatWasTakenAwayWithoutAnEndIsLostWithItsNode() {
        var pod = new PodBuilder()
                .withNewStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        assertThat(PodEnd.of(pod, null)).isEqualTo(FailureClass.NODE_LOST);
        assertThat(of(null, null, null)).isEqualTo(FailureClass.UNKNOWN);
    }

    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(nullValues = "-", textBlock = """
            InvalidImageName,           -,                                                         IMAGE
            ErrImagePull,               manifest unknown,                                          IMAGE
            ImagePullBackOff,           pull access denied,                                        IMAGE
            ErrImagePull,               dial tcp 10.0.0.1:443: i/o timeout,                        -
            ContainerCreating,          -,                                                         -
            CreateContainerConfigError, container has runAsNonRoot and image will run as root,     IMAGE
            CreateContainerConfigError, secret "j1-a1" not found,                                  -
            """)
    void aWaitIsHopelessOnlyWhenItsWordsSaySo(String reason, String message, FailureClass expected) {
        assertThat(PodEnd.ofWait(reason, message)).isEqualTo(expected);
    }

    private static FailureClass of(String reason, String message, ContainerStateTerminated end) {
        return PodEnd.of(
                new PodBuilder()
                        .withNewStatus()
                        .withReason(reason)
                        .withMessage(message)
                        .endStatus()
                        .build(),
                end);
    }

    private static ContainerStateTerminated ended(int exitCode, String reason, String message) {
        return new ContainerStateTerminatedBuilder()
                .withExitCode(exitCode)
                .withReason(reason)
                .withMessage(message)
                .build();
    }
}
