package io.muster.web.view;

import java.time.Instant;
import java.util.Map;

/**
 * A revision of the scheduling policy; the newest is in force.
 *
 * @param values by name as {@code docs/admin-guide.md} lists them; durations are whole seconds
 */
public record PolicyView(long number, Map<String, Object> values, Instant since, String by, String why) {

    /** Values that are not given stay as they are. */
    public record Body(Map<String, Object> values, String why) {}
}
