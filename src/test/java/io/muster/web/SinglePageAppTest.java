package io.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.resource.ResourceResolverChain;

class SinglePageAppTest {
    @TempDir
    Path files;

    @BeforeEach
    void build() throws IOException {
        Files.writeString(files.resolve("index.html"), "page");
        Files.createDirectory(files.resolve("assets"));
        Files.writeString(files.resolve("assets/app-1a2b.js"), "script");
    }

    @Test
    void filesAreServedAsTheyAre() {
        assertThat(served("assets/app-1a2b.js")).isEqualTo("app-1a2b.js");
    }

    @Test
    void placesInsideTheAppAreThePage() {
        assertThat(served("jobs/4711")).isEqualTo("index.html");
        assertThat(served("teams/research/vision")).isEqualTo("index.html");
    }

    @Test
    void whatIsMissingIsNoPage() {
        assertThat(served("assets/app-old.js")).isNull();
        assertThat(served("api/v1/no-such-thing")).isNull();
        assertThat(served("actuator/env")).isNull();
        assertThat(served("favicon.ico")).isNull();
    }

    private @Nullable String served(String path) {
        Resource found = new SinglePageApp.Places()
                .resolveResource(null, path, List.of(new FileSystemResource(files + "/")), NOBODY_ELSE);
        return found == null ? null : found.getFilename();
    }

    private static final ResourceResolverChain NOBODY_ELSE = new ResourceResolverChain() {
        @Override
        public @Nullable Resource resolveResource(
                jakarta.servlet.http.@Nullable HttpServletRequest request,
                String path,
                List<? extends Resource> locations) {
            return null;
        }

        @Override
        public @Nullable String resolveUrlPath(String path, List<? extends Resource> locations) {
            return null;
        }
    };
}
