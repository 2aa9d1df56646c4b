package io.muster.job;

import io.muster.model.TeamPath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that the ledger knows of an attempt to be made on a cluster.
 *
 * @param teamPath the team's path as it is now
 * @param volumes volumes that the team may mount now, by name
 * @param replicas every replica, in rank order
 */
public record Blueprint(
        LedgerJob job,
        LedgerAttempt attempt,
        JobDocument document,
        TeamPath teamPath,
        Map<String, Volume> volumes,
        List<LedgerReplica> replicas) {
    public Blueprint {
        volumes = Map.copyOf(volumes);
        replicas = List.copyOf(replicas);
    }

    /** A claim in the team's namespace, or a folder of it. */
    public record Volume(String claim, @Nullable String subPath, boolean readOnly) {}
}
