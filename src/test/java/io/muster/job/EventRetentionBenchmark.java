package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Ten million job events, half of them of jobs that are over for long: how quickly they go, and what others notice. */
class EventRetentionBenchmark {
    private static final int JOBS = 100_000;
    private static final int EVENTS_EACH = Integer.getInteger("muster.bench.events", 100);
    private static final int BATCH = 2_000;
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    @Test
    void halfOfTenMillionGo() throws InterruptedException {
        try (var database = Database.fresh()) {
            JdbcClient jdbc = database.jdbc();
            fill(jdbc);
            var shelf = new JobShelves.Events(jdbc, Clock.fixed(NOW, ZoneOffset.UTC));
            var transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
            report("a commit of one event, at rest", commits(jdbc, new AtomicBoolean(), 2_000));

            var stop = new AtomicBoolean();
            long[][] busy = new long[1][];
            Thread writer = Thread.ofPlatform().start(() -> busy[0] = commits(jdbc, stop, Integer.MAX_VALUE));
            long began = System.nanoTime();
            long removed = 0;
            long longest = 0;
            boolean more = true;
            while (more) {
                long batch = System.nanoTime();
                var done = transaction.execute(status -> shelf.remove(Duration.ofDays(400), BATCH));
                removed += done.rows();
                more = done.more();
                long took = System.nanoTime() - batch;
                longest = Math.max(longest, took);
                Thread.sleep(Duration.ofNanos(took));
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            stop.set(true);
            writer.join();
            System.out.printf(
                    "removed %,d of %,d events in %.1f s (%,.0f a second, rests included); longest batch %.1f ms%n",
                    removed, (long) JOBS * EVENTS_EACH, seconds, removed / seconds, longest / 1e6);
            report("a commit of one event, meanwhile", busy[0]);
            assertThat(removed).isEqualTo((long) JOBS / 2 * EVENTS_EACH);
        }
    }

    /** Jobs that ended one after the other over 800 days. */
    private static void fill(JdbcClient jdbc) {
        jdbc.sql("insert into team (id, name, path, display_name) values (gen_random_uuid(), 't', 't', 't')")
                .update();
        jdbc.sql("insert into principal (id, kind, username, display_name)"
                        + " values (gen_random_uuid(), 'USER', 'u', 'u')")
                .update();
        jdbc.sql("""
                        insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, state,
                            submitted_at, waiting_since, ended_at)
                        select t.id, p.id, 'job', 'normal', true, 1, 1, 'SUCCEEDED', e, e, e
                        from team t, principal p, generate_series(1, :jobs) n,
                            lateral (select :now::timestamptz - interval '800 days' * (:jobs - n + 0.5) / :jobs as e) x
                        """).param("jobs", JOBS).param("now", NOW.toString()).update();
        for (int part = 0; part < 10; part++) {
            jdbc.sql("""
                            insert into job_event (at, job_id, team_id, attempt, kind, why, data)
                            select j.ended_at, j.id, j.team_id, 1, 'checkpoint-saved', 'checkpoint-saved',
                                '{"step": 12345, "path": "/work/checkpoints/step-00012345"}'
                            from job j, generate_series(1, :each) where j.id % 10 = :part
                            """).param("each", EVENTS_EACH).param("part", part).update();
        }
        jdbc.sql("analyze").update();
    }

    private static long[] commits(JdbcClient jdbc, AtomicBoolean stop, int most) {
        long[] took = new long[100_000];
        int n = 0;
        while (!stop.get() && n < Math.min(most, took.length)) {
            long began = System.nanoTime();
            jdbc.sql("insert into job_event (at, job_id, team_id, attempt, kind, why)"
                            + " select now(), id, team_id, 0, 'new', 'new' from job where id = 99999")
                    .update();
            took[n++] = System.nanoTime() - began;
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return Arrays.copyOf(took, n);
    }

    private static void report(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%s: p50 %.2f ms, p99 %.2f ms, most %.1f ms (%d)%n",
                what,
                nanos[nanos.length / 2] / 1e6,
                nanos[(int) (nanos.length * 0.99)] / 1e6,
                nanos[nanos.length - 1] / 1e6,
                nanos.length);
    }
}
