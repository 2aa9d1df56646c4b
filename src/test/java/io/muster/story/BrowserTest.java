package io.muster.story;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the browser tests of {@code frontend/e2e} in a real Chromium against a server on the virtual fleet. */
class BrowserTest {
    private static final Path FRONTEND = Path.of("frontend");
    private static final List<String> CHROMIUM =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final int MINUTES = 20;

    @Test
    void theScreensDoInARealBrowserWhatTheyPromise() throws Exception {
        assumeTrue(
                Files.isDirectory(FRONTEND.resolve("node_modules")),
                "the frontend is not installed: run node .mvn/frontend.mjs build");
        assumeTrue(
                BrowserTest.class.getResource("/static/index.html") != null,
                "the server has no frontend: build without -Dskip.frontend");
        assumeTrue(
                Stream.concat(Stream.ofNullable(System.getenv("CHROMIUM")), CHROMIUM.stream())
                        .anyMatch(path -> Files.isExecutable(Path.of(path))),
                "no Chromium here: apt-get install chromium, or set CHROMIUM to its path");
        try (var server = StoryServer.on(Map.of(
                "muster.virtual.time-scale", 5, "muster.virtual.poll", "100ms", "muster.sample.enabled", true))) {
            run(server);
        }
    }

    private static void run(StoryServer server) throws IOException, InterruptedException {
        var output = Path.of("target", "browser-tests.log").toAbsolutePath();
        var builder = new ProcessBuilder("npm", "run", "--silent", "e2e")
                .directory(FRONTEND.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("MUSTER_URL", server.url());
        builder.environment().put("MUSTER_USER", RunningServer.ADMIN);
        builder.environment().put("MUSTER_PASSWORD", RunningServer.PASSWORD);
        var process = builder.start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            fail("the browser tests took more than " + MINUTES + " minutes:\n" + Files.readString(output));
        }
        var text = Files.readString(output);
        assertTrue(process.exitValue() == 0, () -> "the browser tests failed:\n" + text);
        assertTrue(text.contains("# skipped 0") && !text.contains("# pass 0\n"), () -> "not all was tested:\n" + text);
    }
}
