package io.muster.web.view;

import org.jspecify.annotations.Nullable;

/** Bodies of the actions on nodes. */
public final class NodeActions {
    private NodeActions() {}

    public record Cordon(String why) {}

    /** {@code deadline} as people write durations, from now; what runs has checkpointed and gone by then. */
    public record Drain(String deadline, String why) {}

    public record ConfirmGone(@Nullable String why) {}
}
