package io.muster.retention;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** How long each shelf keeps what it holds: as shipped, or as {@code muster.retention.<name>} says. */
@Component
public class KeptFor {
    /** Less would take what is still being written and read. */
    private static final Duration SHORTEST = Duration.ofHours(1);

    private final Map<String, Duration> kept = new HashMap<>();

    KeptFor(List<Shelf> shelves, Environment environment) {
        shelves.forEach(shelf -> kept.put(shelf.name(), shelf.shipped()));
        Binder.get(environment)
                .bind("muster.retention", Bindable.mapOf(String.class, Duration.class))
                .orElse(Map.of())
                .forEach(this::set);
    }

    private void set(String name, Duration value) {
        if (!kept.containsKey(name)) {
            throw new IllegalStateException("muster.retention.%s is none of %s"
                    .formatted(name, kept.keySet().stream().sorted().toList()));
        }
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalStateException("muster.retention.%s must be at least an hour".formatted(name));
        }
        kept.put(name, value);
    }

    public Duration of(String shelf) {
        return Objects.requireNonNull(kept.get(shelf), shelf);
    }
}
