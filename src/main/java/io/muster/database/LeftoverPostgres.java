package io.muster.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Postgres that a killed server left running. Postgres outlives its parent and keeps {@code postmaster.pid}; whoever
 * holds the data folder's lock may stop it, because no living server uses it.
 */
final class LeftoverPostgres {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverPostgres.class);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

    private final Path data;

    LeftoverPostgres(Path data) {
        this.data = data;
    }

    /** Stops it if it runs, and removes its pid file if that names a process that is no Postgres. */
    void clear() throws IOException, InterruptedException {
        var pidFile = data.resolve("postmaster.pid");
        if (!Files.exists(pidFile)) return;
        var process = process(pidFile);
        if (process.isEmpty()) {
            // Postgres refuses to start when the number has been given to another process meanwhile.
            Files.deleteIfExists(pidFile);
            return;
        }
        LOG.info(
                "Stopping the Postgres (process {}) that a killed server left behind",
                process.get().pid());
        stop(process.get());
    }

    private Optional<ProcessHandle> process(Path pidFile) throws IOException {
        var lines = Files.readAllLines(pidFile);
        if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,10}")) return Optional.empty();
        return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
                .filter(ProcessHandle::isAlive)
                .filter(LeftoverPostgres::isPostgres);
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString().toLowerCase(Locale.ROOT))
                .filter(name -> name.equals("postgres") || name.equals("postgres.exe"))
                .isPresent();
    }

    private void stop(ProcessHandle process) throws IOException, InterruptedException {
        interrupt(process);
        try {
            process.onExit().get(STOP_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "Postgres (process " + process.pid() + ") of a killed server still holds " + data
                            + " and does not stop. Stop it by hand, then start again.",
                    e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    /** SIGINT is Postgres's fast shutdown; SIGTERM, which {@link ProcessHandle} sends, would wait for its clients. */
    private static void interrupt(ProcessHandle process) throws IOException, InterruptedException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            process.destroy();
            return;
        }
        var exit = new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0 && process.isAlive()) process.destroy();
    }
}
