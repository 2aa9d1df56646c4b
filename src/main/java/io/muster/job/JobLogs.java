package io.muster.job;

import io.muster.model.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Reads stored output. Lines of one replica stand in their order; lines of several are merged by the time at which their
 * chunk began, for the first {@value #MOST_REPLICAS} replicas in rank order. What one request reads is bounded by
 * chunks, not by what matches.
 */
@Service
public class JobLogs {
    /** Output stands on this shelf: after the job's end it goes when its time is over. */
    public static final String SHELF = "logs";

    static final int MOST_REPLICAS = 64;

    /** A chunk has some 32 KiB. */
    private static final int MOST_CHUNKS = 64;

    private static final String CHUNKS = """
            from log_chunk c where c.job_id = :job and c.attempt = :attempt
                and (:group::text is null and (c.grp, c.idx) in (
                        select grp, idx from replica where job_id = :job and attempt = :attempt
                        order by rank_order limit 64)
                    or c.grp = :group::text and c.idx = :index)
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

    private record Chunk(String group, int index, long first, int lines, byte[] body) {
        String replica() {
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
        SortedMap<String, Long> reached = new TreeMap<>(positions);
        List<Line> lines = new ArrayList<>();
        List<Chunk> chunks = chunksAfter(scope, positions);
        int chars = 0;
        for (Chunk chunk : chunks) {
            String replica = chunk.replica();
            for (Line line : lines(scope, chunk, search, reached.getOrDefault(replica, 0L))) {
                if (lines.size() >= mostLines || chars >= mostChars) {
                    return new Piece(lines, reached, true);
                }
                lines.add(line);
                chars += line.text().length();
                reached.put(replica, line.line() + 1);
            }
            reached.put(replica, chunk.first() + chunk.lines());
        }
        return new Piece(lines, reached, chunks.size() == MOST_CHUNKS);
    }

    /** The last lines, oldest first. */
    public Piece tail(Scope scope, @Nullable String search, int mostLines, int mostChars) {
        SortedMap<String, Long> ends = ends(scope);
        List<Chunk> chunks = params(
                        jdbc.sql("select c.grp, c.idx, c.first_line, c.lines, c.body, c.at " + CHUNKS
                                + " order by c.at desc, c.grp desc, c.idx desc, c.first_line desc limit "
                                + MOST_CHUNKS),
                        scope)
                .query((row, n) -> chunk(row))
                .list();
        List<Line> lines = new ArrayList<>();
        for (Chunk chunk : chunks) {
            lines.addAll(0, lines(scope, chunk, search, 0));
            if (lines.size() >= mostLines) {
                break;
            }
        }
        return new Piece(newest(lines, mostLines, mostChars), ends, false);
    }

    private static List<Line> newest(List<Line> lines, int mostLines, int mostChars) {
        int first = lines.size();
        int chars = 0;
        while (first > 0 && lines.size() - first < mostLines && chars < mostChars) {
            first--;
            chars += lines.get(first).text().length();
        }
        return List.copyOf(lines.subList(first, lines.size()));
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

    private List<Chunk> chunksAfter(Scope scope, SortedMap<String, Long> positions) {
        List<String> replicas = List.copyOf(positions.keySet());
        return params(jdbc.sql("""
                                select c.grp, c.idx, c.first_line, c.lines, c.body, c.at
                                """ + CHUNKS + """
                                          and c.first_line + c.lines > coalesce((
                                              select p.next from unnest(:replicas::text[], :nexts::bigint[]) p (replica, next)
                                              where p.replica = c.grp || '-' || c.idx), 0)
                                          order by c.at, c.grp, c.idx, c.first_line limit
                                          """ + MOST_CHUNKS), scope)
                .param("replicas", replicas.toArray(String[]::new))
                .param("nexts", replicas.stream().map(positions::get).toArray(Long[]::new))
                .query((row, n) -> chunk(row))
                .list();
    }

    private SortedMap<String, Long> ends(Scope scope) {
        SortedMap<String, Long> ends = new TreeMap<>();
        params(
                        jdbc.sql("select c.grp || '-' || c.idx as replica, max(c.first_line + c.lines) as next "
                                + CHUNKS + " group by 1"),
                        scope)
                .query(row -> {
                    ends.put(row.getString("replica"), row.getLong("next"));
                });
        return ends;
    }

    private static List<Line> lines(Scope scope, Chunk chunk, @Nullable String search, long from) {
        String wanted = search == null ? null : search.toLowerCase(Locale.ROOT);
        List<LogChunk.Line> stored = LogChunk.unpack(chunk.body());
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < stored.size(); i++) {
            long number = chunk.first() + i;
            String text = stored.get(i).text();
            if (number >= from
                    && (wanted == null || text.toLowerCase(Locale.ROOT).contains(wanted))) {
                lines.add(new Line(
                        scope.attempt(), chunk.replica(), number, stored.get(i).at(), text));
            }
        }
        lines.sort(Comparator.comparingLong(Line::line));
        return lines;
    }

    private static JdbcClient.StatementSpec params(JdbcClient.StatementSpec sql, Scope scope) {
        return sql.params(Map.of("job", scope.job().value(), "attempt", scope.attempt(), "index", scope.index()))
                .param("group", scope.group(), Types.VARCHAR);
    }

    private static Chunk chunk(ResultSet row) throws SQLException {
        return new Chunk(
                row.getString("grp"),
                row.getInt("idx"),
                row.getLong("first_line"),
                row.getInt("lines"),
                row.getBytes("body"));
    }
}
