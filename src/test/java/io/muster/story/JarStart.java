package io.muster.story;

import io.muster.support.Ports;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Starts the built jar on its own database, as a newcomer would, and stops it again when it is ready. */
final class JarStart {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private JarStart() {}

    /** What {@code ./mvnw package} has made. */
    static Optional<Path> built() throws IOException {
        try (var files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.getFileName().toString().matches("muster-.*\\.jar"))
                    .findFirst();
        }
    }

    /** How long it took until it was ready. */
    static Duration of(Path jar, Path data) throws IOException, InterruptedException {
        return started(jar, data, Process::destroy);
    }

    /** The same, and then it is killed: it cleans nothing up, and its Postgres stays behind. */
    static Duration ofOneThatIsKilled(Path jar, Path data) throws IOException, InterruptedException {
        return started(jar, data, Process::destroyForcibly);
    }

    private static Duration started(Path jar, Path data, Consumer<Process> end)
            throws IOException, InterruptedException {
        int port = Ports.free();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        long began = System.nanoTime();
        var process = new ProcessBuilder(java, "-jar", jar.toString(), "--server.port=" + port, "--muster.data=" + data)
                .redirectErrorStream(true)
                .redirectOutput(new File("target/stories/jar.log"))
                .start();
        try {
            while (!isReady(port)) {
                if (!process.isAlive() || System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw new AssertionError("the jar did not start: see target/stories/jar.log");
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            return Duration.ofNanos(System.nanoTime() - began);
        } finally {
            end.accept(process);
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private static boolean isReady(int port) throws InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
