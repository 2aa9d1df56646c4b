package io.muster.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Lines of a log as {@code log_chunk.body} keeps them: milliseconds, a tab, the text, a line feed; UTF-8, gzip. */
final class LogChunk {
    private LogChunk() {}

    /** A line and when the cluster told it. */
    record Line(Instant at, String text) {}

    static List<Line> told(List<String> texts, Instant at) {
        return texts.stream().map(text -> new Line(at, text)).toList();
    }

    static byte[] pack(List<Line> lines) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            for (Line line : lines) {
                zip.write((line.at().toEpochMilli() + "\t" + line.text() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static List<Line> unpack(byte[] body) {
        try (var zip = new GZIPInputStream(new ByteArrayInputStream(body))) {
            String text = new String(zip.readAllBytes(), StandardCharsets.UTF_8);
            if (text.isEmpty()) {
                return List.of();
            }
            // Not lines(): a carriage return belongs to the line.
            return Stream.of(text.substring(0, text.length() - 1).split("\n", -1))
                    .map(LogChunk::line)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Line line(String stored) {
        int tab = stored.indexOf('\t');
        return new Line(Instant.ofEpochMilli(Long.parseLong(stored, 0, tab, 10)), stored.substring(tab + 1));
    }
}
