package io.muster.kubernetes;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A token that the kubelet replaces before it expires, at the latest after an hour: the file is read again and again.
 */
final class RotatedToken implements OAuthTokenProvider {

    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    private final Path file;
    private String token = "";
    private long readAt;

    RotatedToken(Path file) {
        this.file = file;
    }

    @Override
    public synchronized String getToken() {
        if (token.isEmpty() || System.nanoTime() - readAt > FRESH_NANOS) {
            try {
                token = Files.readString(file).strip();
                readAt = System.nanoTime();
            } catch (IOException e) {
                if (token.isEmpty()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return token;
    }
}
