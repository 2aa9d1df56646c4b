package io.muster.kubernetes.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/** Where the tests get their Kubernetes from, in order of preference. */
sealed interface ClusterSource {

    /**
     * A cluster that somebody named for the tests. A plain {@code KUBECONFIG} is not read: it usually points at a
     * cluster that people work on, and the tests create nodes and namespaces.
     */
    record Given(Path kubeconfig) implements ClusterSource {}

    /** K3s in a container, with KWOK inside. */
    record Docker() implements ClusterSource {}

    /** A control plane of processes on this machine, built from Go modules. */
    record Processes(Path build) implements ClusterSource {}

    /** Nothing to run on; says what to install. */
    record Absent(String why) implements ClusterSource {}

    String GIVEN = "MUSTER_TEST_KUBECONFIG";

    static ClusterSource find() {
        var given = System.getenv(GIVEN);
        if (given != null && !given.isBlank()) {
            return new Given(Path.of(given));
        }
        if (mayHaveDocker() && DockerClientFactory.instance().isDockerAvailable()) {
            return new Docker();
        }
        var build = Path.of("src/test/kubernetes/build.sh").toAbsolutePath();
        if (Files.isExecutable(build) && runs(build.resolveSibling("etcd"), "go", "list", "-m")) {
            return new Processes(build);
        }
        return new Absent(
                "no Kubernetes for the tests: start Docker, or install Go 1.25 or newer (https://go.dev/dl), or set "
                        + GIVEN + " to the kubeconfig of a cluster that tests may change");
    }

    /** Testcontainers looks longer, and complains loudly where there is nothing. */
    private static boolean mayHaveDocker() {
        var home = System.getProperty("user.home");
        return System.getenv("DOCKER_HOST") != null
                || Stream.of(
                                "/var/run/docker.sock",
                                System.getenv("XDG_RUNTIME_DIR") + "/docker.sock",
                                home + "/.docker/run/docker.sock",
                                home + "/.docker/desktop/docker.sock",
                                home + "/.testcontainers.properties")
                        .anyMatch(path -> Files.exists(Path.of(path)));
    }

    /** Go of any version is not enough: it must take the module's own demand. */
    private static boolean runs(Path folder, String... command) {
        try {
            var process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
