package io.muster.job;

import static java.util.Comparator.comparing;

import io.muster.database.Columns;
import io.muster.model.ReplicaId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
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
        var to = new Changes(new ArrayList<>(), new ArrayList<>());
        long dropped = inOrder.stream()
                .mapToLong(p -> append(p, kept.getOrDefault(p.replica(), Kept.NOTHING), to))
                .sum();
        insert(to.fresh());
        extend(to.longer());
        return dropped;
    }

    /** A chunk as it is to be; of a longer one only what is more counts as {@code raw}. */
    private record Chunk(ReplicaId replica, long first, int lines, int raw, byte[] body, Instant at) {}

    private record Changes(List<Chunk> fresh, List<Chunk> longer) {}

    private long append(Printed printed, Kept kept, Changes to) {
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
                to.longer().add(longer(replica, kept, fresh.subList(0, done), printed.at()));
                bytes += rawBytes(fresh.subList(0, done));
            }
        }
        while (done < fresh.size() && bytes < mostBytes) {
            List<String> rest = fresh.subList(done, fresh.size());
            List<String> chunk = rest.subList(0, fitting(rest, CHUNK_BYTES, mostBytes - bytes));
            to.fresh().add(fresh(replica, first + done, chunk, printed.at()));
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

    private static Chunk fresh(ReplicaId replica, long first, List<String> lines, Instant at) {
        return new Chunk(replica, first, lines.size(), rawBytes(lines), LogChunk.pack(LogChunk.told(lines, at)), at);
    }

    private static Chunk longer(ReplicaId replica, Kept kept, List<String> fresh, Instant at) {
        var lines = new ArrayList<>(LogChunk.unpack(kept.lastBody()));
        lines.addAll(LogChunk.told(fresh, at));
        return new Chunk(replica, kept.lastFirst(), lines.size(), rawBytes(fresh), LogChunk.pack(lines), at);
    }

    private void insert(List<Chunk> chunks) {
        if (!chunks.isEmpty()) {
            jdbc.sql("""
                    insert into log_chunk (job_id, attempt, grp, idx, first_line, lines, raw_bytes, body, at)
                    select w.job, w.attempt, w.grp, w.idx, w.first, w.lines, w.raw, decode(w.body, 'base64'), w.at
                    from unnest(:jobs::bigint[], :attempts::integer[], :groups::text[], :indexes::integer[],
                        :firsts::bigint[], :lines::integer[], :raw::integer[], :bodies::text[], :at::timestamptz[])
                        as w (job, attempt, grp, idx, first, lines, raw, body, at)
                    on conflict do nothing
                    """)
                    .paramSource(columns(chunks).instants("at", Chunk::at).params())
                    .update();
        }
    }

    private void extend(List<Chunk> chunks) {
        if (!chunks.isEmpty()) {
            jdbc.sql("""
                    update log_chunk set lines = w.lines, raw_bytes = raw_bytes + w.raw, body = decode(w.body, 'base64')
                    from unnest(:jobs::bigint[], :attempts::integer[], :groups::text[], :indexes::integer[],
                        :firsts::bigint[], :lines::integer[], :raw::integer[], :bodies::text[])
                        as w (job, attempt, grp, idx, first, lines, raw, body)
                    where log_chunk.job_id = w.job and log_chunk.attempt = w.attempt and log_chunk.grp = w.grp
                        and log_chunk.idx = w.idx and first_line = w.first
                    """).paramSource(columns(chunks).params()).update();
        }
    }

    private static Columns<Chunk> columns(List<Chunk> chunks) {
        return Columns.of(chunks)
                .longs("jobs", c -> c.replica().attempt().job().value())
                .ints("attempts", c -> c.replica().attempt().number())
                .texts("groups", c -> c.replica().group())
                .ints("indexes", c -> c.replica().index())
                .longs("firsts", Chunk::first)
                .ints("lines", Chunk::lines)
                .ints("raw", Chunk::raw)
                .texts("bodies", c -> Base64.getEncoder().encodeToString(c.body()));
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
