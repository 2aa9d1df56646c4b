package io.muster.kubernetes.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that does not outlive this JVM, whatever ends it: see {@code supervise.sh}. */
final class Supervised implements AutoCloseable {

    private static final Path SUPERVISOR =
            Path.of("src/test/kubernetes/supervise.sh").toAbsolutePath();

    private final String name;
    private final Process process;
    private final Path log;

    private Supervised(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static Supervised start(Path folder, String name, List<String> command) throws IOException {
        var log = folder.resolve(name + ".log");
        var whole = new ArrayList<String>();
        whole.add(SUPERVISOR.toString());
        whole.addAll(command);
        var process = new ProcessBuilder(whole)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Supervised(name, process, log);
    }

    boolean alive() {
        return process.isAlive();
    }

    String name() {
        return name;
    }

    /** The end of what it printed, for the message of a failure. */
    String lastWords() throws IOException {
        var lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    @Override
    public void close() {
        var family = process.descendants().toList();
        try {
            process.getOutputStream().close();
            process.destroy();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
