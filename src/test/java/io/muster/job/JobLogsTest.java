package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.support.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The output of a gang of 200, each of which has printed more than a chunk: complete, in time, page by page. */
class JobLogsTest {
    private static final int REPLICAS = 200;
    private static final int CHUNKS = 3;
    private static final int LINES = 5;
    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final AttemptId ATTEMPT = new AttemptId(new JobId(7), 1);

    private final Database database = Database.fresh();
    private final JobLogs logs = new JobLogs(database.jdbc());
    private final JobLogs.Scope all = new JobLogs.Scope(ATTEMPT.job(), 1, null, 0);

    @BeforeEach
    void print() {
        var jdbc = database.jdbc();
        jdbc.sql("set session_replication_role = replica; insert into replica (job_id, attempt, grp, idx, rank_order,"
                        + " node, gpus, cpu_millis, memory_bytes) select 7, 1, 'worker', i, i, 'n', 1, 0, 0 from"
                        + " generate_series(0, " + (REPLICAS - 1) + ") i; set session_replication_role = origin")
                .update();
        for (int replica = 0; replica < REPLICAS; replica++) {
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                print(replica, chunk);
            }
        }
    }

    /** All begin at once; then each has a pace of its own. */
    private void print(int replica, int chunk) {
        var lines = IntStream.range(chunk * LINES, (chunk + 1) * LINES)
                .mapToObj(i -> new LogChunk.Line(at(replica, i), "r" + replica + " line " + i))
                .toList();
        database.jdbc()
                .sql("insert into log_chunk values (7, 1, 'worker', :idx, :first, :lines, 1, :body, :at)")
                .param("idx", replica)
                .param("first", chunk * LINES)
                .param("lines", LINES)
                .param("body", LogChunk.pack(lines))
                .param("at", SqlInstant.of(lines.getFirst().at()))
                .update();
    }

    private static Instant at(int replica, int line) {
        return T0.plusMillis((long) line * (100 + replica % 17 * 13));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void everyLineOfEveryReplicaComesOnceAndInTime() {
        var read = new ArrayList<JobLogs.Line>();
        var positions = new TreeMap<String, Long>();
        boolean more = true;
        int pages = 0;
        while (more) {
            var piece = logs.after(all, positions, null, 250, 1 << 20);
            assertThat(piece.lines()).hasSizeLessThanOrEqualTo(250);
            read.addAll(piece.lines());
            positions.clear();
            positions.putAll(piece.positions());
            more = piece.more();
            assertThat(++pages).as("a page that leads nowhere").isLessThan(100);
        }

        assertThat(read).hasSize(REPLICAS * CHUNKS * LINES);
        assertThat(new HashSet<>(read)).hasSameSizeAs(read);
        assertThat(read).isSortedAccordingTo(Comparator.comparing(JobLogs.Line::at));
    }

    @Test
    void whatIsPrintedLaterIsReadFromThereOn() {
        var positions = logs.after(all, new TreeMap<>(), null, 100_000, 1 << 20).positions();
        while (true) {
            var piece = logs.after(all, positions, null, 100_000, 1 << 20);
            positions = piece.positions();
            if (!piece.more()) {
                break;
            }
        }
        assertThat(logs.after(all, positions, null, 10, 1 << 20).lines()).isEmpty();
        new LogStore(database.jdbc(), 1 << 20)
                .append(List.of(new LogStore.Printed(
                        new ReplicaId(ATTEMPT, "worker", 150), CHUNKS * LINES, List.of("late news"), T0)));

        assertThat(logs.after(all, positions, null, 10, 1 << 20).lines())
                .extracting(JobLogs.Line::replica, JobLogs.Line::text)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("worker-150", "late news"));
    }

    @Test
    void aSearchFindsWhatTheLastReplicaPrinted() {
        var found = new ArrayList<JobLogs.Line>();
        var positions = new TreeMap<String, Long>();
        for (boolean more = true; more; ) {
            var piece = logs.after(all, positions, "R199 LINE 14", 10, 1 << 20);
            found.addAll(piece.lines());
            positions.putAll(piece.positions());
            more = piece.more();
        }
        assertThat(found).extracting(JobLogs.Line::text).containsExactly("r199 line 14");
    }

    @Test
    void theTailIsOfAllReplicas() {
        var tail = logs.tail(all, null, 300, 1 << 20).lines();

        assertThat(tail).hasSize(300).isSortedAccordingTo(Comparator.comparing(JobLogs.Line::at));
        var latest = IntStream.range(0, REPLICAS)
                .boxed()
                .flatMap(r -> IntStream.range(2 * LINES, 3 * LINES).mapToObj(i -> at(r, i)))
                .sorted(Comparator.reverseOrder())
                .limit(300)
                .toList();
        assertThat(tail.getFirst().at()).isEqualTo(latest.getLast());
    }

    @Test
    void oneReplicaIsReadByItself() {
        var one = logs.after(new JobLogs.Scope(ATTEMPT.job(), 1, "worker", 150), new TreeMap<>(), null, 100, 1 << 20);

        assertThat(one.lines())
                .hasSize(CHUNKS * LINES)
                .allMatch(line -> line.replica().equals("worker-150"));
        assertThat(one.more()).isFalse();
    }
}
