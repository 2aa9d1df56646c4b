package io.muster.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The demo that comes with Muster. */
final class Demos {
    private Demos() {}

    static Demo shipped() {
        try {
            return Demo.parse(Files.readString(Path.of("scenarios/demo.yaml")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
