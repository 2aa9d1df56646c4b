package io.muster.job;

import java.util.List;

/** All jobs that one call moved, published once in its transaction, before each {@link JobMoved} by itself. */
public record JobsMoved(List<JobMoved> moves) {
    public JobsMoved {
        moves = List.copyOf(moves);
    }
}
