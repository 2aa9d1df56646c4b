package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A shelf of what hangs on jobs: it goes a while after the job's end, all of a job's at once, so that a job that runs or
 * waits for long keeps its whole record. Jobs are gone through in the order of their ends, once.
 */
abstract class EndedJobs implements Shelf {
    private static final int JOBS_AT_ONCE = 200;

    final JdbcClient jdbc;
    private final Clock clock;

    EndedJobs(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Removes at most so many rows of these jobs and returns how many there were. */
    abstract int removeOf(Long[] jobs, int most);

    private record Ended(long job, Instant at) {}

    @Override
    public Removed remove(Duration kept, int most) {
        List<Ended> jobs = next(clock.instant().minus(kept));
        if (jobs.isEmpty()) {
            return new Removed(0, false);
        }
        int rows = removeOf(jobs.stream().map(Ended::job).toArray(Long[]::new), most);
        if (rows < most) {
            mark(jobs.getLast());
        }
        return new Removed(rows, rows >= most || jobs.size() == JOBS_AT_ONCE);
    }

    private List<Ended> next(Instant before) {
        return jdbc.sql("""
                        with mark as (
                            select coalesce(max(ended_at), '-infinity') as at, coalesce(max(job_id), 0) as job
                            from retention_mark where shelf = :shelf)
                        select j.id, j.ended_at from job j
                        where (j.ended_at, j.id) > ((select at from mark), (select job from mark))
                            and j.ended_at < :before
                        order by j.ended_at, j.id limit :most
                        """)
                .param("shelf", name())
                .param("before", SqlInstant.of(before))
                .param("most", JOBS_AT_ONCE)
                .query((row, n) -> new Ended(row.getLong("id"), SqlInstant.read(row, "ended_at")))
                .list();
    }

    private void mark(Ended last) {
        jdbc.sql("""
                        insert into retention_mark (shelf, ended_at, job_id) values (:shelf, :at, :job)
                        on conflict (shelf) do update set ended_at = excluded.ended_at, job_id = excluded.job_id
                        """)
                .param("shelf", name())
                .param("at", SqlInstant.of(last.at()))
                .param("job", last.job())
                .update();
    }
}
