package io.muster.kubernetes.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

final class Folders {

    private Folders() {}

    static void delete(Path folder) {
        try (var found = Files.walk(folder)) {
            for (var path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
