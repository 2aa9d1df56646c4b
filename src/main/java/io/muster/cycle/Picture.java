package io.muster.cycle;

import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The one picture of the world in this server, and what the core sees of it. The loop works on it; questions from people
 * share it, so that they cost no second one. Whoever uses it has it alone.
 */
@Component
class Picture {
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final WorldReader reader;
    private final SurroundingsReader surroundings;
    private final CycleMeters meters;
    private final Clock clock;
    private final World world = new World();
    private final Snapshots snapshots = new Snapshots();
    private @Nullable View newest;
    private long newestAt;

    Picture(WorldReader reader, SurroundingsReader surroundings, CycleMeters meters, Clock clock) {
        this.reader = reader;
        this.surroundings = surroundings;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * The world at one instant; {@code world} changes with the next look, the snapshot never.
     *
     * @param micros how long the look took
     */
    record View(World world, Surroundings around, ClusterSnapshot snapshot, long micros) {}

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /** Looks anew, and works with what it sees. */
    synchronized <T> T look(Function<View, T> work) {
        return work.apply(look());
    }

    /** Looks, and looks again while {@code keeping} changes something, at most so often; then works with what it sees. */
    synchronized <T> T settle(Predicate<View> keeping, int rounds, Function<View, T> work) {
        View view = look();
        for (int round = 0; round < rounds && keeping.test(view); round++) {
            view = look();
        }
        return work.apply(view);
    }

    /** Works with what was seen less than a second ago, unless what surrounds the jobs has changed since, or looks anew. */
    synchronized <T> T glance(Function<View, T> work) {
        View view = newest;
        boolean stands = view != null
                && System.nanoTime() - newestAt < YOUNG.toNanos()
                && surroundings.read().mark().equals(view.around().mark());
        return work.apply(view != null && stands ? view : look());
    }

    /** The next look starts from nothing. */
    synchronized void forget() {
        world.forget();
        surroundings.forget();
        newest = null;
    }

    private record Seen(Surroundings around, ClusterSnapshot snapshot) {}

    private View look() {
        var seen = meters.time("snapshot", () -> {
            Surroundings around = surroundings.read();
            Instant now = now();
            reader.refresh(world, now, around);
            return new Seen(around, snapshots.of(world, around, now));
        });
        var view = new View(world, seen.value().around(), seen.value().snapshot(), seen.micros());
        newest = view;
        newestAt = System.nanoTime();
        return view;
    }
}
