package io.muster.simulation;

import io.muster.model.AttemptId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as its rows have it. Together with the clock this is all there is to know of it.
 *
 * @param seed of everything that is left to chance
 * @param env its {@code VIRTUAL_*} variables
 * @param checkpointPath where it saves, or null: it does not
 * @param checkpointEvery how often it saves by itself, or null
 * @param resumeStep the step it goes on from, 0 at first
 * @param pods every replica, in rank order
 * @param signals requests to save, oldest first
 * @param deletion its pods were told to go, or null
 */
public record VirtualAttempt(
        AttemptId id,
        long seed,
        Map<String, String> env,
        @Nullable String checkpointPath,
        @Nullable Duration checkpointEvery,
        long resumeStep,
        Instant createdAt,
        List<VirtualPod> pods,
        List<Signal> signals,
        @Nullable Deletion deletion) {

    public VirtualAttempt {
        env = Map.copyOf(env);
        pods = List.copyOf(pods);
        signals = List.copyOf(signals);
    }

    /** A request to save by way of a file or the signals endpoint. */
    public record Signal(UUID id, Instant at, boolean thenStop) {}

    /** SIGTERM at {@code at}, SIGKILL when the grace is over. */
    public record Deletion(Instant at, Duration grace) {
        Instant killAt() {
            return at.plus(grace);
        }
    }

    public Behaviour behaviour() {
        return Behaviour.of(id, seed, env);
    }
}
