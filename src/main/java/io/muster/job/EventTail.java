package io.muster.job;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Follows the events of all jobs in an order that never gains an earlier member: by transaction, and only once every
 * transaction up to there is over. An id alone would not do, as a low one may be committed late.
 */
@Component
public class EventTail {
    private final JdbcClient jdbc;

    EventTail(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A place in that order, after some event. */
    public record Position(BigInteger transaction, long id) implements Comparable<Position> {
        private static final Comparator<Position> ORDER =
                Comparator.comparing(Position::transaction).thenComparingLong(Position::id);

        @Override
        public int compareTo(Position other) {
            return ORDER.compare(this, other);
        }
    }

    public record Told(JobHistory.Event event, Position position) {}

    /** The end of what is settled now. */
    public Position end() {
        return jdbc.sql("select (pg_snapshot_xmin(pg_current_snapshot())::text)::numeric - 1")
                .query((row, n) -> new Position(row.getBigDecimal(1).toBigInteger(), Long.MAX_VALUE))
                .single();
    }

    /** What follows a position, oldest first. */
    public List<Told> after(Position position, int limit) {
        return jdbc.sql("""
                        select e.tx::text as tx, %s from job_event e
                        where (e.tx, e.id) > (:tx::xid8, :id) and e.tx < pg_snapshot_xmin(pg_current_snapshot())
                        order by e.tx, e.id limit :limit
                        """.formatted(JobHistory.EVENT_COLUMNS))
                .param("tx", position.transaction().toString())
                .param("id", position.id())
                .param("limit", limit)
                .query((row, n) -> {
                    JobHistory.Event event = JobHistory.event(row);
                    return new Told(event, new Position(new BigInteger(row.getString("tx")), event.id()));
                })
                .list();
    }
}
