package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of output, oldest first; also sent one line per server-sent event ({@code log}).
 *
 * @param next cursor of the following page, also while more may come; null: at the end for good
 * @param dropped lines that were dropped because of the bound
 * @param keptUntil when the output of an ended job goes, or went; null: the job has not ended
 */
public record LogPage(
        List<Line> lines,
        @Nullable String next,
        long dropped,
        @Nullable Instant keptUntil) {
    public record Line(int attempt, String replica, long line, Instant at, String text) {}
}
