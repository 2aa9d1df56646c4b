package io.muster.gateway;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to a cluster is.
 *
 * @param reachable the last call or watch succeeded
 * @param lastHeard when the cluster was last heard from, or null: never
 * @param detail a sentence for operators
 */
public record ClusterHealth(boolean reachable, @Nullable Instant lastHeard, String detail) {}
