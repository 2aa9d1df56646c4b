package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people allow now: each entry in force; an empty list means running as usual. */
public record ModeView(List<Entry> entries) {

    /** {@code mode}: PAUSED (everywhere, a pool or a team), FROZEN (no preemption), SAFE (run what runs). */
    public record Entry(
            long id,
            String mode,
            @Nullable String pool,
            @Nullable String team,
            String by,
            Instant since,
            String why) {}

    public record Body(
            String mode, @Nullable String pool, @Nullable String team, String why) {}

    public record EndBody(String why) {}
}
