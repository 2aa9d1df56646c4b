package io.muster.job;

import static java.util.Comparator.comparing;

import io.muster.database.SqlInstant;
import io.muster.model.ReplicaId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Keeps what replicas print, so that it outlives their pods: compressed chunks of some 32 KiB, at most
 * {@code muster.logs.most-bytes} of text per replica. What comes after that is counted and dropped.
 */
@Component
public class LogStore {
    /** A last chunk with less text than this is filled up before a new one begins. */
    private static final int CHUNK_BYTES = 32 * 1024;

    private final JdbcClient jdbc;
    private final long mostBytes;

    LogStore(JdbcClient jdbc, @Value("${muster.logs.most-bytes:8388608}") long mostBytes) {
        this.jdbc = jdbc;
        this.mostBytes = mostBytes;
    }

    /**
     * Consecutive lines of a replica.
     *
     * @param offset number of the first line, from 0 in this replica
     */
    public record Printed(ReplicaId replica, long offset, List<String> lines, Instant at) {
        public Printed {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Keeps what replicas printed, in the caller's transaction; lines that are there already are left out.
     *
     * @param printed of each replica once
     * @return how many lines were dropped because their replica has had its share
     */
    public long append(Collection<Printed> printed) {
        if (printed.isEmpty()) {
            return 0;
        }
        var inOrder = printed.stream().sorted(comparing(Printed::replica)).toList();
        Map<ReplicaId, Kept> kept = kept(inOrder);
        return inOrder.stream()
                .mapToLong(p -> append(p, kept.getOrDefault(p.replica(), Kept.NOTHING)))
                .sum();
    }

    private long append(Printed printed, Kept kept) {
        ReplicaId replica = printed.replica();
        List<String> lines = printed.lines();
        int known = (int) Math.min(lines.size(), Math.max(0, kept.nextLine() - printed.offset()));
        List<String> fresh = lines.subList(known, lines.size());
        if (fresh.isEmpty()) {
            return 0;
        }
        long first = printed.offset() + known;
        long bytes = kept.bytes();
        int done = 0;
        if (first == kept.nextLine() && kept.lastBytes() > 0 && kept.lastBytes() < CHUNK_BYTES) {
            done = fitting(fresh, CHUNK_BYTES - kept.lastBytes(), mostBytes - bytes);
            if (done > 0) {
                extend(replica, kept, fresh.subList(0, done), printed.at());
                bytes += rawBytes(fresh.subList(0, done));
            }
        }
        while (done < fresh.size() && bytes < mostBytes) {
            List<String> rest = fresh.subList(done, fresh.size());
            List<String> chunk = rest.subList(0, fitting(rest, CHUNK_BYTES, mostBytes - bytes));
            insert(replica, first + done, chunk, printed.at());
            done += chunk.size();
            bytes += rawBytes(chunk);
        }
        if (done < fresh.size()) {
            countDropped(replica, printed.offset() + lines.size(), done == 0 ? kept.nextLine() : first + done);
        }
        return (long) fresh.size() - done;
    }

    /** How many lines fill both rooms: the last of them may stand out. */
    private static int fitting(List<String> lines, long room, long share) {
        long bytes = 0;
        int count = 0;
        while (count < lines.size() && bytes < Math.min(room, share)) {
            bytes += rawBytes(lines.subList(count, count + 1));
            count++;
        }
        return count;
    }

    private record Kept(long nextLine, long bytes, long lastFirst, int lastBytes, byte[] lastBody) {
        static final Kept NOTHING = new Kept(0, 0, 0, 0, new byte[0]);
    }

    /** The last chunks are locked: two servers may hear the same pod. */
    private Map<ReplicaId, Kept> kept(List<Printed> printed) {
        var kept = new HashMap<ReplicaId, Kept>();
        jdbc.sql("""
                        select w.*, total.bytes, last.first_line, last.lines, last.raw_bytes, last.body
                        from unnest(:jobs::bigint[], :attempts::integer[], :groups::text[], :indexes::integer[])
                            as w (job_id, attempt, grp, idx)
                        cross join lateral (select sum(raw_bytes) as bytes from log_chunk c
                            where (c.job_id, c.attempt, c.grp, c.idx) = (w.job_id, w.attempt, w.grp, w.idx)) total
                        cross join lateral (select first_line, lines, raw_bytes, body from log_chunk c
                            where (c.job_id, c.attempt, c.grp, c.idx) = (w.job_id, w.attempt, w.grp, w.idx)
                            order by first_line desc limit 1 for update) last
                        """)
                .param("jobs", each(printed, r -> r.attempt().job().value()).toArray(Long[]::new))
                .param("attempts", each(printed, r -> r.attempt().number()).toArray(Integer[]::new))
                .param("groups", each(printed, ReplicaId::group).toArray(String[]::new))
                .param("indexes", each(printed, ReplicaId::index).toArray(Integer[]::new))
                .query(row -> {
                    kept.put(
                            LedgerRows.replicaId(row),
                            new Kept(
                                    row.getLong("first_line") + row.getInt("lines"),
                                    row.getLong("bytes"),
                                    row.getLong("first_line"),
                                    row.getInt("raw_bytes"),
                                    row.getBytes("body")));
                });
        return kept;
    }

    private static <T> Stream<T> each(List<Printed> printed, Function<ReplicaId, T> what) {
        return printed.stream().map(Printed::replica).map(what);
    }

    private void insert(ReplicaId replica, long first, List<String> lines, Instant at) {
        params(jdbc.sql("""
                                insert into log_chunk (job_id, attempt, grp, idx, first_line, lines, raw_bytes, body, at)
                                values (:job, :attempt, :grp, :idx, :first, :lines, :raw, :body, :at)
                                on conflict do nothing
                                """), replica)
                .param("first", first)
                .param("lines", lines.size())
                .param("raw", rawBytes(lines))
                .param("body", LogChunk.pack(LogChunk.told(lines, at)))
                .param("at", SqlInstant.of(at))
                .update();
    }

    private void extend(ReplicaId replica, Kept kept, List<String> fresh, Instant at) {
        var lines = new ArrayList<>(LogChunk.unpack(kept.lastBody()));
        lines.addAll(LogChunk.told(fresh, at));
        params(jdbc.sql("""
                                update log_chunk set lines = :lines, raw_bytes = raw_bytes + :raw, body = :body
                                where job_id = :job and attempt = :attempt and grp = :grp and idx = :idx
                                    and first_line = :first
                                """), replica)
                .param("first", kept.lastFirst())
                .param("lines", lines.size())
                .param("raw", rawBytes(fresh))
                .param("body", LogChunk.pack(lines))
                .update();
    }

    /** The count is what lies between the last kept line and the newest one heard of, so that repeats add nothing. */
    private void countDropped(ReplicaId replica, long heardUpTo, long nextLine) {
        params(jdbc.sql("""
                                insert into log_dropped (job_id, attempt, grp, idx, lines)
                                values (:job, :attempt, :grp, :idx, :lines)
                                on conflict (job_id, attempt, grp, idx)
                                do update set lines = greatest(log_dropped.lines, excluded.lines)
                                """), replica).param("lines", heardUpTo - nextLine).update();
    }

    private static JdbcClient.StatementSpec params(JdbcClient.StatementSpec sql, ReplicaId replica) {
        return sql.param("job", replica.attempt().job().value())
                .param("attempt", replica.attempt().number())
                .param("grp", replica.group())
                .param("idx", replica.index());
    }

    private static int rawBytes(List<String> lines) {
        return lines.stream()
                .mapToInt(line -> line.getBytes(StandardCharsets.UTF_8).length + 1)
                .sum();
    }
}
