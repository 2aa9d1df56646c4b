package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.support.Database;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogStoreTest {
    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final ReplicaId REPLICA = new ReplicaId(new AttemptId(new JobId(7), 1), "worker", 0);

    private final Database database = Database.fresh();
    private final LogStore store = new LogStore(database.jdbc(), 1024);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void eachLineKeepsItsOwnTimeInOneChunk() {
        store.append(List.of(new LogStore.Printed(REPLICA, 0, List.of("step 1", "a\ttab and\rreturn"), T0)));
        store.append(List.of(
                new LogStore.Printed(REPLICA, 1, List.of("a\ttab and\rreturn", "", "step 2"), T0.plusSeconds(60))));

        assertThat(stored())
                .containsExactly(
                        new LogChunk.Line(T0, "step 1"),
                        new LogChunk.Line(T0, "a\ttab and\rreturn"),
                        new LogChunk.Line(T0.plusSeconds(60), ""),
                        new LogChunk.Line(T0.plusSeconds(60), "step 2"));
    }

    @Test
    void whatIsBeyondTheBoundIsCountedOnce() {
        store.append(List.of(new LogStore.Printed(REPLICA, 0, List.of("x".repeat(2000)), T0)));

        assertThat(store.append(List.of(new LogStore.Printed(REPLICA, 1, List.of("a", "b"), T0))))
                .isEqualTo(2);
        store.append(List.of(new LogStore.Printed(REPLICA, 1, List.of("a", "b"), T0)));

        assertThat(database.jdbc()
                        .sql("select lines from log_dropped")
                        .query(Long.class)
                        .single())
                .isEqualTo(2);
    }

    private List<LogChunk.Line> stored() {
        return LogChunk.unpack(database.jdbc()
                .sql("select body from log_chunk")
                .query(byte[].class)
                .single());
    }
}
