package io.muster.kubernetes;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Cuts a stream of stamped lines into pieces of bounded length; equal lines give equal pieces, however the stream
 * arrives.
 */
final class LogLineReader {

    static final int LONGEST = 16 * 1024;

    private final InputStream in;

    LogLineReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** What becomes of pieces and lines. */
    interface Sink {
        /** A line begins. */
        void line(Instant stamp);

        /** A piece of the line that began last. */
        void piece(String text);

        /** The line that began last is whole. */
        void end();
    }

    /** Reads until the stream ends; a line that was cut off by that has no end. */
    void read(Sink sink) throws IOException {
        var piece = new ByteArrayOutputStream();
        boolean inLine = false;
        int pieces = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                inLine = inLine || begin(piece, sink);
                if (inLine && (piece.size() > 0 || pieces == 0)) {
                    flush(piece, sink);
                }
                if (inLine) {
                    sink.end();
                }
                piece.reset();
                inLine = false;
                pieces = 0;
            } else if (b == ' ' && !inLine) {
                inLine = begin(piece, sink);
            } else {
                piece.write(b);
                if (piece.size() >= LONGEST && inLine) {
                    flush(piece, sink);
                    pieces++;
                }
            }
        }
    }

    /**
     * The stamp is what stands before the first blank. What has none is not a line of a container and is passed over.
     */
    private static boolean begin(ByteArrayOutputStream stamp, Sink sink) {
        try {
            sink.line(Instant.parse(stamp.toString(StandardCharsets.US_ASCII)));
            return true;
        } catch (DateTimeException noStamp) {
            return false;
        } finally {
            stamp.reset();
        }
    }

    /** A database keeps no NUL in a text. */
    private static void flush(ByteArrayOutputStream piece, Sink sink) {
        sink.piece(piece.toString(StandardCharsets.UTF_8).replace('\0', '\uFFFD'));
        piece.reset();
    }
}
