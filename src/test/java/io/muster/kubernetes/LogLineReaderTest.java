package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLineReaderTest {

    private static final String STAMP = "2026-01-02T03:04:05.000000001Z ";

    @Test
    void linesAreCutAtTheirEnds() throws IOException {
        assertThat(read(STAMP + "one\n" + STAMP + "two words\n")).containsExactly("one", "/", "two words", "/");
    }

    @Test
    void anEmptyLineIsALine() throws IOException {
        assertThat(read(STAMP + "\n" + STAMP + "x\n")).containsExactly("", "/", "x", "/");
    }

    @Test
    void aLineThatWasCutOffHasNoEnd() throws IOException {
        assertThat(read(STAMP + "whole\n" + STAMP + "ha")).containsExactly("whole", "/");
    }

    @Test
    void longLinesComeInPiecesOfBoundedLength() throws IOException {
        var longest = "x".repeat(LogLineReader.LONGEST);
        assertThat(read(STAMP + longest + longest + "rest\n")).containsExactly(longest, longest, "rest", "/");
        assertThat(read(STAMP + longest + "\n")).containsExactly(longest, "/");
    }

    @Test
    void whatHasNoStampIsPassedOver() throws IOException {
        assertThat(read("failed to watch file\n" + STAMP + "x\n")).containsExactly("x", "/");
    }

    @Test
    void nulCharactersAndBrokenBytesDoNotGetThrough() throws IOException {
        assertThat(read(STAMP + "a\0b\n")).containsExactly("a\uFFFDb", "/");
        var pieces = new ArrayList<String>();
        var bytes = (STAMP + "?\n").getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 2] = (byte) 0xC3;
        new LogLineReader(new ByteArrayInputStream(bytes)).read(into(pieces));
        assertThat(pieces).containsExactly("\uFFFD", "/");
    }

    private static List<String> read(String text) throws IOException {
        var pieces = new ArrayList<String>();
        new LogLineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).read(into(pieces));
        return pieces;
    }

    private static LogLineReader.Sink into(List<String> pieces) {
        return new LogLineReader.Sink() {
            @Override
            public void line(Instant stamp) {
                assertThat(stamp).isEqualTo(Instant.parse(STAMP.strip()));
            }

            @Override
            public void piece(String text) {
                pieces.add(text);
            }

            @Override
            public void end() {
                pieces.add("/");
            }
        };
    }
}
