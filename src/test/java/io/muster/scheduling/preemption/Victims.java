package io.muster.scheduling.preemption;

import io.muster.scheduling.preemption.VictimSearch.Found;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is asked to leave, by id. */
final class Victims {
    private Victims() {}

    static List<Long> of(@Nullable Found found) {
        return found == null
                ? List.of()
                : found.victims().stream()
                        .map(t -> t.occupant().id().value())
                        .sorted()
                        .toList();
    }
}
