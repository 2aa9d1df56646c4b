package io.muster.kubernetes;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a replica's output has been read: the number of the next line, the time stamp of the last, and how many lines
 * bore that stamp. The API server can be asked for output since a whole second only, so that what was read of that
 * second comes again and is passed over.
 */
record LogCursor(long nextLine, @Nullable Instant lastStamp, int linesOfLastStamp) {

    static final LogCursor START = new LogCursor(0, null, 0);

    LogCursor after(Instant stamp, int pieces) {
        return new LogCursor(nextLine + pieces, stamp, stamp.equals(lastStamp) ? linesOfLastStamp + 1 : 1);
    }

    /** Passes over what was read already; to be asked line by line from the start of a stream. */
    static final class Filter {
        private final LogCursor from;
        private int ofLastStamp;

        Filter(LogCursor from) {
            this.from = from;
        }

        boolean isNew(Instant stamp) {
            var last = from.lastStamp();
            if (last == null || stamp.isAfter(last)) {
                return true;
            }
            return stamp.equals(last) && ++ofLastStamp > from.linesOfLastStamp();
        }
    }

    String text() {
        return nextLine + " " + lastStamp + " " + linesOfLastStamp;
    }

    static Optional<LogCursor> parse(@Nullable String text) {
        var parts = text == null ? new String[0] : text.split(" ", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new LogCursor(Long.parseLong(parts[0]), Instant.parse(parts[1]), Integer.parseInt(parts[2])));
        } catch (NumberFormatException | DateTimeException nonsense) {
            return Optional.empty();
        }
    }
}
