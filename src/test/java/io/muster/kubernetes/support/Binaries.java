package io.muster.kubernetes.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Runs the build script, which is quick when everything is there already, and lets people see what takes so long when
 * it is not.
 */
final class Binaries {

    private Binaries() {}

    static Path build(Path script) throws IOException {
        var process = new ProcessBuilder(script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String last = null;
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line;
            }
            if (process.waitFor() != 0 || last == null) {
                throw new IOException(script + " failed with exit code " + process.exitValue());
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while building Kubernetes", e);
        }
        return Path.of(last);
    }
}
