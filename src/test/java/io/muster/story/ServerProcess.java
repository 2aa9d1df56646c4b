package io.muster.story;

import io.muster.Muster;
import io.muster.support.Database;
import io.muster.support.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A server as a process of its own, which can be killed at any moment and started again on the same database and port. */
final class ServerProcess implements RunningServer, AutoCloseable {
    private static final Duration START_WITHIN = Duration.ofMinutes(2);
    private static final int LOG_TAIL = 60;

    /** What the best compiler would gain, it would not earn back. */
    private static final List<String> SHORT_LIFE =
            List.of("-Xmx768m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Duser.timezone=UTC");

    /** As in production. */
    private static final List<String> LONG_LIFE = List.of("-Xmx2g", "-Duser.timezone=UTC");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Database database;
    private final Map<String, Object> properties;
    private final Path log;
    private final int port = Ports.free();
    private List<String> jvm = SHORT_LIFE;
    private @Nullable Process process;
    private @Nullable StoryClient admin;

    /** @param name of its log, {@code target/stories/<name>.log} */
    ServerProcess(String name, Database database, Map<String, Object> properties) {
        this.database = database;
        this.log = Path.of("target", "stories", name + ".log");
        this.properties = new HashMap<>(database.properties());
        this.properties.putAll(
                Map.of("server.port", port, "muster.sample.enabled", false, "muster.admin-password", PASSWORD));
        this.properties.putAll(properties);
        try {
            Files.createDirectories(log.getParent());
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerProcess with(String property, Object value) {
        properties.put(property, value);
        return this;
    }

    /** With the JVM's best compiler and more memory: for measuring. {@code -Dstories.jvm=} adds to its options. */
    ServerProcess quick() {
        jvm = new ArrayList<>(LONG_LIFE);
        jvm.addAll(
                Arrays.asList(System.getProperty("stories.jvm", "-Xshare:auto").split(" ")));
        return this;
    }

    /** Starts it and waits until it is ready. */
    ServerProcess start() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath(), Muster.class.getName()));
        properties.forEach((name, value) -> command.add("--" + name + "=" + value));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
        return this;
    }

    /** SIGKILL: it cannot clean up after itself. Returns when it is dead. */
    void kill() {
        var running = process;
        if (running != null) {
            running.destroyForcibly();
            try {
                running.waitFor(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    ProcessHandle handle() {
        return Objects.requireNonNull(process).toHandle();
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public StoryClient admin() {
        if (admin == null) {
            admin = StoryClient.signIn(url(), ADMIN, PASSWORD);
        }
        return admin;
    }

    /** One that is measured ends by itself, so that a recording of it is written. */
    @Override
    public void close() {
        var running = process;
        if (running != null && jvm != SHORT_LIFE) {
            running.destroy();
            running.onExit().completeOnTimeout(running, 20, TimeUnit.SECONDS).join();
        }
        kill();
    }

    private void awaitReady() {
        long end = System.nanoTime() + START_WITHIN.toNanos();
        while (!isReady()) {
            if (!isAlive() || System.nanoTime() > end) {
                kill();
                throw new AssertionError("the server did not start; the end of " + log + ":\n" + tail());
            }
            Lab.sleep();
        }
    }

    private boolean isReady() {
        try {
            var request = HttpRequest.newBuilder(URI.create(url() + "/actuator/health/readiness"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String tail() {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without the tests' own classes: they must not become part of the server. */
    private static String classPath() {
        var all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
