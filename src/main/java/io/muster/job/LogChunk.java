package io.muster.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Lines of a log as {@code log_chunk.body} keeps them: UTF-8, each ended by a line feed, gzip. */
final class LogChunk {
    private LogChunk() {}

    static byte[] pack(List<String> lines) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            for (String line : lines) {
                zip.write(line.getBytes(StandardCharsets.UTF_8));
                zip.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static List<String> unpack(byte[] body) {
        try (var zip = new GZIPInputStream(new ByteArrayInputStream(body))) {
            String text = new String(zip.readAllBytes(), StandardCharsets.UTF_8);
            // Not lines(): a carriage return belongs to the line.
            return text.isEmpty()
                    ? List.of()
                    : List.of(text.substring(0, text.length() - 1).split("\n", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
