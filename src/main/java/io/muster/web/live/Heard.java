package io.muster.web.live;

import io.muster.job.EventTail.Position;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.tenancy.Reader;
import org.jspecify.annotations.Nullable;

/**
 * An event written out once for all listeners.
 *
 * @param whole as JSON for readers of the job's team
 * @param outside as JSON for all others, or null: not for them
 */
record Heard(
        Position position,
        TeamId team,
        String whole,
        @Nullable String outside) {

    @Nullable String forReader(Reader reader) {
        return reader.may(team, Role.VIEWER) ? whole : outside;
    }
}
