package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Reads stored output. Lines of one replica stand in their order; lines of all replicas are merged by the time at which
 * the cluster told them. A request reads one chunk of each replica, and goes on while it has read fewer than
 * {@value #MOST_CHUNKS}, so that it is bounded by chunks and not by what matches; the next one goes on from there.
 */
@Service
public class JobLogs {
    /** Output stands on this shelf: after the job's end it goes when its time is over. */
    public static final String SHELF = "logs";

    /** A chunk has some 32 KiB. */
    private static final int MOST_CHUNKS = 64;

    /** Replicas that are asked about in one statement: their chunks are in memory together. */
    private static final int TOGETHER = 128;

    private static final String REPLICAS = """
            select grp, idx, rank_order from replica where job_id = :job and attempt = :attempt
                and (:group::text is null or grp = :group::text and idx = :index) order by rank_order
            """;

    private static final String HEADS = """
            select w.rank, w.grp, w.idx, c.first_line, c.body, (
                select n.at from log_chunk n
                where n.job_id = :job and n.attempt = :attempt and n.grp = w.grp and n.idx = w.idx
                    and n.first_line > c.first_line
                order by n.first_line limit 1) as next_at
            from unnest(:groups::text[], :indexes::integer[], :ranks::integer[], :nexts::bigint[])
                as w (grp, idx, rank, next)
            cross join lateral (
                select first_line, body from log_chunk
                where job_id = :job and attempt = :attempt and grp = w.grp and idx = w.idx
                    and first_line + lines > w.next
                order by first_line limit 1) c
            """;

    private static final String TAILS = """
            select w.rank, w.grp, w.idx, c.first_line, c.body, null::timestamptz as next_at
            from unnest(:groups::text[], :indexes::integer[], :ranks::integer[]) as w (grp, idx, rank)
            cross join lateral (
                select first_line, body from log_chunk
                where job_id = :job and attempt = :attempt and grp = w.grp and idx = w.idx
                order by first_line desc limit :each) c
            order by w.rank, c.first_line
            """;

    private final JdbcClient jdbc;

    JobLogs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Which output: of one replica, or of all ({@code group} null). */
    public record Scope(JobId job, int attempt, @Nullable String group, int index) {}

    public record Line(int attempt, String replica, long line, Instant at, String text) {}

    /**
     * A piece of output.
     *
     * @param positions where reading goes on: the next line of each replica that was read, whether it matched or not
     * @param more there is more already
     */
    public record Piece(List<Line> lines, SortedMap<String, Long> positions, boolean more) {}

    private record Replica(String group, int index, int rank) {
        String name() {
            return group + "-" + index;
        }
    }

    /**
     * The piece after some positions; a replica that is not among them is read from its first line.
     *
     * @param mostChars no further line is added once the text has so many characters
     */
    public Piece after(
            Scope scope, SortedMap<String, Long> positions, @Nullable String search, int mostLines, int mostChars) {
        List<Replica> replicas = replicas(scope);
        SortedMap<String, Long> reached = new TreeMap<>(positions);
        List<Line> lines = new ArrayList<>();
        int chunks = 0;
        int chars = 0;
        while (true) {
            var merge = new LogMerge(mostLines - lines.size(), mostChars - chars, wanted(search));
            for (int i = 0; i < replicas.size(); i += TOGETHER) {
                chunks += addHeads(scope, replicas.subList(i, Math.min(replicas.size(), i + TOGETHER)), reached, merge);
            }
            LogMerge.Merged merged = merge.merged();
            for (LogMerge.Entry entry : merged.lines()) {
                lines.add(line(scope, entry));
                chars += entry.chars();
            }
            reached.putAll(merged.positions());
            boolean enough = lines.size() >= mostLines || chars >= mostChars || chunks >= MOST_CHUNKS;
            if (enough || !merged.more()) {
                return new Piece(lines, reached, merged.more());
            }
        }
    }

    private int addHeads(Scope scope, List<Replica> some, SortedMap<String, Long> reached, LogMerge merge) {
        List<LogMerge.Head> heads = params(jdbc.sql(HEADS), scope, some)
                .param(
                        "nexts",
                        some.stream()
                                .map(r -> reached.getOrDefault(r.name(), 0L))
                                .toArray(Long[]::new))
                .query((row, n) -> head(row))
                .list();
        heads.forEach(head -> merge.add(head, reached.getOrDefault(head.replica(), 0L)));
        return heads.size();
    }

    /** The last lines, oldest first: of the last chunk of each replica, or of several when the replicas are few. */
    public Piece tail(Scope scope, @Nullable String search, int mostLines, int mostChars) {
        SortedMap<String, Long> ends = new TreeMap<>();
        List<Replica> replicas = replicas(scope);
        int each = Math.max(1, MOST_CHUNKS / Math.max(1, replicas.size()));
        var latest = LogMerge.latest(mostLines, mostChars);
        for (int i = 0; i < replicas.size(); i += TOGETHER) {
            List<Replica> some = replicas.subList(i, Math.min(replicas.size(), i + TOGETHER));
            params(jdbc.sql(TAILS), scope, some).param("each", each).query(row -> {
                LogMerge.Head head = head(row);
                ends.put(head.replica(), head.first() + head.lines().size());
                addAll(head, wanted(search), latest);
            });
        }
        List<Line> lines = latest.inOrder().stream().map(e -> line(scope, e)).toList();
        return new Piece(lines, ends, false);
    }

    private static void addAll(LogMerge.Head head, Predicate<String> wanted, LogMerge.Kept latest) {
        for (int i = 0; i < head.lines().size(); i++) {
            LogChunk.Line line = head.lines().get(i);
            if (wanted.test(line.text())) {
                latest.add(new LogMerge.Entry(line.at(), head.rank(), head.first() + i, head.replica(), line));
            }
        }
    }

    /** How some output stands: whether the attempt may still print, and how many lines the bound dropped. */
    public record Standing(boolean grows, long dropped) {}

    public Standing standing(Scope scope) {
        return params(jdbc.sql("""
                                select
                                    coalesce((select ended_at is null from attempt
                                        where job_id = :job and number = :attempt), false) as grows,
                                    coalesce((select sum(lines) from log_dropped
                                        where job_id = :job and attempt = :attempt
                                            and (:group::text is null or grp = :group::text and idx = :index)), 0)
                                        as dropped
                                """), scope)
                .query((row, n) -> new Standing(row.getBoolean("grows"), row.getLong("dropped")))
                .single();
    }

    private List<Replica> replicas(Scope scope) {
        return params(jdbc.sql(REPLICAS), scope)
                .query((row, n) -> new Replica(row.getString("grp"), row.getInt("idx"), row.getInt("rank_order")))
                .list();
    }

    private static Predicate<String> wanted(@Nullable String search) {
        if (search == null) {
            return text -> true;
        }
        String wanted = search.toLowerCase(Locale.ROOT);
        return text -> text.toLowerCase(Locale.ROOT).contains(wanted);
    }

    private static Line line(Scope scope, LogMerge.Entry e) {
        return new Line(
                scope.attempt(),
                e.replica(),
                e.number(),
                e.line().at(),
                e.line().text());
    }

    private static JdbcClient.StatementSpec params(JdbcClient.StatementSpec sql, Scope scope) {
        return sql.params(Map.of("job", scope.job().value(), "attempt", scope.attempt(), "index", scope.index()))
                .param("group", scope.group(), Types.VARCHAR);
    }

    private static JdbcClient.StatementSpec params(JdbcClient.StatementSpec sql, Scope scope, List<Replica> some) {
        return sql.param("job", scope.job().value())
                .param("attempt", scope.attempt())
                .param("groups", some.stream().map(Replica::group).toArray(String[]::new))
                .param("indexes", some.stream().map(Replica::index).toArray(Integer[]::new))
                .param("ranks", some.stream().map(Replica::rank).toArray(Integer[]::new));
    }

    private static LogMerge.Head head(ResultSet row) throws SQLException {
        return new LogMerge.Head(
                new Replica(row.getString("grp"), row.getInt("idx"), 0).name(),
                row.getInt("rank"),
                row.getLong("first_line"),
                LogChunk.unpack(row.getBytes("body")),
                SqlInstant.readNullable(row, "next_at"));
    }
}
