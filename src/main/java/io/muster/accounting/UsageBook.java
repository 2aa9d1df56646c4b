package io.muster.accounting;

import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Books use from the ledger: about once a minute, in the caller's transaction, by one server. */
@Component
public class UsageBook {
    /** What ended after the last booking, or so shortly before it that the booking may not have counted all of it. */
    private static final Duration LATE = Duration.ofMinutes(10);

    private static final BigInteger SECONDS_PER_HOUR = BigInteger.valueOf(3600);

    private static final String CHANGES = """
            with touched as (
                select job_id from replica where released_at is null and started_at is not null
                union select job_id from replica where released_at >= :since
                union select job_id from replica where changed >= :seen::xid8 and started_at is not null
                union select job_id from attempt where ended_at >= :since and lost_gpu_seconds > 0
                union select job_id from attempt where changed >= :seen::xid8 and lost_gpu_seconds > 0),
            used as (
                select r.job_id, a.pool, sum(r.gpus * floor(extract(epoch from
                    greatest(interval '0', least(coalesce(r.released_at, :until), :until) - r.started_at))))::bigint as s
                from replica r join attempt a on a.job_id = r.job_id and a.number = r.attempt
                where r.job_id in (select job_id from touched) and r.started_at < :until
                group by r.job_id, a.pool),
            lost as (
                select job_id, pool, sum(lost_gpu_seconds)::bigint as s from attempt
                where job_id in (select job_id from touched) and ended_at is not null
                group by job_id, pool),
            sums as (
                select job_id, pool, coalesce(used.s, 0) as used, coalesce(lost.s, 0) as lost
                from used full join lost using (job_id, pool))
            select s.job_id, s.pool, j.team_id, j.submitted_by, s.used - coalesce(u.gpu_seconds, 0) as used,
                s.lost - coalesce(u.lost_gpu_seconds, 0) as lost
            from sums s join job j on j.id = s.job_id
            left join job_usage u on u.job_id = s.job_id and u.pool = s.pool
            where s.used <> coalesce(u.gpu_seconds, 0) or s.lost <> coalesce(u.lost_gpu_seconds, 0)
            order by s.job_id, s.pool
            """;
    private static final String BOOK_JOB = """
            insert into job_usage as u (job_id, pool, gpu_seconds, micros, lost_gpu_seconds)
            values (:job, :pool, :used, :micros, :lost)
            on conflict (job_id, pool) do update set gpu_seconds = u.gpu_seconds + excluded.gpu_seconds,
                micros = u.micros + excluded.micros, lost_gpu_seconds = u.lost_gpu_seconds + excluded.lost_gpu_seconds
            """;
    private static final String BOOK_DAY = """
            insert into usage_day as u (day, team_id, principal_id, pool, gpu_seconds, lost_gpu_seconds, micros)
            values (:day, :team, :user, :pool, :used, :lost, :micros)
            on conflict (day, team_id, principal_id, pool) do update set
                gpu_seconds = u.gpu_seconds + excluded.gpu_seconds, micros = u.micros + excluded.micros,
                lost_gpu_seconds = u.lost_gpu_seconds + excluded.lost_gpu_seconds
            """;

    private final JdbcClient jdbc;
    private final NamedParameterJdbcTemplate batches;
    private final DecayedUsage decayed;

    UsageBook(JdbcClient jdbc, NamedParameterJdbcTemplate batches, DecayedUsage decayed) {
        this.jdbc = jdbc;
        this.batches = batches;
        this.decayed = decayed;
    }

    /** A team's entitlement in a pool, in GPUs. */
    public record Entitlement(TeamId team, PoolId pool, int gpus) {}

    /**
     * Books everything up to {@code until}, day by day.
     *
     * @param microsPerGpuHour today's prices; what was booked before keeps its own
     * @param halfLife of past use
     * @param entitlements as they are now; they count for the time since the last booking
     */
    public void book(
            Instant until, Map<PoolId, Long> microsPerGpuHour, Duration halfLife, List<Entitlement> entitlements) {
        Mark mark = mark();
        String seen = oldestUnderWay();
        Instant from = mark.until();
        for (Instant end : ends(from, until)) {
            List<Change> changes = changes(from.minus(LATE), mark.seen(), end);
            bookChanges(changes, day(end), microsPerGpuHour);
            Duration passed = from.equals(Instant.EPOCH) ? Duration.ZERO : Duration.between(from, end);
            decayed.add(changes, entitlements, passed, halfLife, end);
            from = end;
        }
        jdbc.sql("""
                        insert into usage_mark (accounted_until, seen) values (:until, :seen::xid8)
                        on conflict (one) do update set accounted_until = excluded.accounted_until, seen = excluded.seen
                        """).param("until", SqlInstant.of(until)).param("seen", seen).update();
    }

    /** A day's use is booked on that day: the booking that crosses midnight is done in two parts. */
    private static List<Instant> ends(Instant from, Instant until) {
        Instant midnight = day(until).atStartOfDay(ZoneOffset.UTC).toInstant();
        return from.isBefore(midnight) && !from.equals(Instant.EPOCH) && midnight.isBefore(until)
                ? List.of(midnight, until)
                : List.of(until);
    }

    private static LocalDate day(Instant end) {
        return end.minusNanos(1000).atOffset(ZoneOffset.UTC).toLocalDate();
    }

    /** How far was booked: in domain time, and the transaction whose changes and all later ones were not seen yet. */
    private record Mark(Instant until, String seen) {}

    private Mark mark() {
        return jdbc.sql("select accounted_until, seen::text from usage_mark")
                .query((row, n) -> new Mark(SqlInstant.read(row, "accounted_until"), row.getString("seen")))
                .optional()
                .orElse(new Mark(Instant.EPOCH, "0"));
    }

    private String oldestUnderWay() {
        return jdbc.sql("select pg_snapshot_xmin(pg_current_snapshot())::text")
                .query(String.class)
                .single();
    }

    /** What a job used, and lost, beyond what is booked; negative when a release was heard of late. */
    record Change(JobId job, PoolId pool, TeamId team, UserId user, long used, long lost) {}

    private List<Change> changes(Instant since, String seen, Instant until) {
        return jdbc.sql(CHANGES)
                .param("since", SqlInstant.of(since))
                .param("seen", seen)
                .param("until", SqlInstant.of(until))
                .query((row, n) -> new Change(
                        new JobId(row.getLong("job_id")),
                        new PoolId(row.getString("pool")),
                        new TeamId(row.getObject("team_id", UUID.class)),
                        new UserId(row.getObject("submitted_by", UUID.class)),
                        row.getLong("used"),
                        row.getLong("lost")))
                .list();
    }

    private record DayKey(TeamId team, UserId user, PoolId pool) implements Comparable<DayKey> {
        @Override
        public int compareTo(DayKey other) {
            return Comparator.comparing(DayKey::team)
                    .thenComparing(DayKey::user)
                    .thenComparing(DayKey::pool)
                    .compare(this, other);
        }
    }

    private record Sum(long used, long lost, long micros) {
        Sum plus(Sum other) {
            return new Sum(
                    Math.addExact(used, other.used),
                    Math.addExact(lost, other.lost),
                    Math.addExact(micros, other.micros));
        }
    }

    private void bookChanges(List<Change> changes, LocalDate day, Map<PoolId, Long> prices) {
        var days = new TreeMap<DayKey, Sum>();
        var jobs = new ArrayList<SqlParameterSource>();
        for (Change change : changes) {
            long micros = micros(change.used(), prices.getOrDefault(change.pool(), 0L));
            var sum = new Sum(change.used(), change.lost(), micros);
            days.merge(new DayKey(change.team(), change.user(), change.pool()), sum, Sum::plus);
            jobs.add(params(sum)
                    .addValue("job", change.job().value())
                    .addValue("pool", change.pool().value()));
        }
        batches.batchUpdate(BOOK_JOB, jobs.toArray(SqlParameterSource[]::new));
        batches.batchUpdate(
                BOOK_DAY,
                days.entrySet().stream()
                        .map(e -> params(e.getValue())
                                .addValue("day", day)
                                .addValue("team", e.getKey().team().value())
                                .addValue("user", e.getKey().user().value())
                                .addValue("pool", e.getKey().pool().value()))
                        .toArray(SqlParameterSource[]::new));
    }

    private static MapSqlParameterSource params(Sum sum) {
        return new MapSqlParameterSource()
                .addValue("used", sum.used())
                .addValue("lost", sum.lost())
                .addValue("micros", sum.micros());
    }

    private static long micros(long gpuSeconds, long microsPerGpuHour) {
        return BigInteger.valueOf(gpuSeconds)
                .multiply(BigInteger.valueOf(microsPerGpuHour))
                .divide(SECONDS_PER_HOUR)
                .longValueExact();
    }
}
