package io.muster.job;

import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What of this package's tables goes after a while. A job itself, its documents, attempts and checkpoints stay. */
final class JobShelves {
    private JobShelves() {}

    @Component
    static final class Events extends EndedJobs {
        Events(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock);
        }

        @Override
        public String name() {
            return "job-events";
        }

        @Override
        public Duration shipped() {
            return Duration.ofDays(400);
        }

        @Override
        int removeOf(Long[] jobs, int most) {
            return jdbc.sql("""
                            delete from job_event where (at, id) in (
                                select at, id from job_event where job_id = any(:jobs) limit :most)
                            """).param("jobs", jobs).param("most", most).update();
        }
    }

    @Component
    static final class Logs extends EndedJobs {
        Logs(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock);
        }

        @Override
        public String name() {
            return JobLogs.SHELF;
        }

        @Override
        public Duration shipped() {
            return Duration.ofDays(30);
        }

        @Override
        int removeOf(Long[] jobs, int most) {
            int chunks = jdbc.sql("""
                            delete from log_chunk where ctid = any(array(
                                select ctid from log_chunk where job_id = any(:jobs) limit :most))
                            """).param("jobs", jobs).param("most", most).update();
            if (chunks < most) {
                jdbc.sql("delete from log_dropped where job_id = any(:jobs)")
                        .param("jobs", jobs)
                        .update();
            }
            return chunks;
        }
    }

    /** By real time: whoever repeats a request does so by their own clock. */
    @Component
    static final class IdempotencyKeys implements Shelf {
        private final JdbcClient jdbc;

        IdempotencyKeys(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        public String name() {
            return "idempotency-keys";
        }

        @Override
        public Duration shipped() {
            return Duration.ofDays(7);
        }

        @Override
        public Removed remove(Duration kept, int most) {
            int rows = jdbc.sql("""
                            delete from idempotency_key where ctid = any(array(
                                select ctid from idempotency_key
                                where created_at < clock_timestamp() - make_interval(secs => :kept)
                                order by created_at limit :most))
                            """)
                    .param("kept", kept.toSeconds())
                    .param("most", most)
                    .update();
            return Removed.of(rows, most);
        }
    }
}
