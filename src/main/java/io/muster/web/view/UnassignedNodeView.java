package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node that Muster cannot use, and why: it matches no pool, or its GPUs are not in the catalogue. */
public record UnassignedNodeView(String id, @Nullable String pool, List<String> problems, Instant seenAt) {}
