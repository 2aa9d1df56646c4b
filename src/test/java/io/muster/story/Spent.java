package io.muster.story;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Processor time that a server, its database and this client have used since this was made: unlike the time that passes,
 * it says the same on a busy machine. With {@code -Ddatabase.preload=pg_stat_statements} also which statements cost most.
 */
final class Spent {
    private static final boolean STATEMENTS =
            System.getProperty("database.preload", "").contains("pg_stat_statements");
    private static final int MOST_SHOWN = 60;
    private static final int MOST_TEXT = 150;

    private final ServerProcess server;
    private final Used before;

    Spent(ServerProcess server) {
        this.server = server;
        if (STATEMENTS) {
            var jdbc = server.database().jdbc();
            jdbc.sql("create extension if not exists pg_stat_statements").update();
            jdbc.sql("select pg_stat_statements_reset()").query(row -> {});
        }
        this.before = used();
    }

    private record Used(Duration server, Duration database, Duration client) {}

    /** Prints it, by job. */
    void report(long jobs) {
        var now = used();
        System.out.printf(
                Locale.ROOT,
                "benchmark: processor time of a job: server %.2f ms, database %.2f ms, client %.2f ms%n",
                millis(before.server(), now.server(), jobs),
                millis(before.database(), now.database(), jobs),
                millis(before.client(), now.client(), jobs));
        if (STATEMENTS) {
            statements(jobs);
        }
    }

    private void statements(long jobs) {
        server.database().jdbc().sql("""
                        select calls, rows, total_exec_time as millis, regexp_replace(query, '\\s+', ' ', 'g') as text
                        from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
                        order by total_exec_time desc limit ?
                        """).param(MOST_SHOWN).query(row -> {
            var text = row.getString("text");
            System.out.printf(
                    Locale.ROOT,
                    "benchmark: %.4f ms, %.4f calls, %.4f rows of a job: %s%n",
                    row.getDouble("millis") / jobs,
                    row.getDouble("calls") / jobs,
                    row.getDouble("rows") / jobs,
                    text.substring(0, Math.min(text.length(), MOST_TEXT)));
        });
    }

    private static double millis(Duration before, Duration now, long jobs) {
        return now.minus(before).toNanos() / 1e6 / jobs;
    }

    private Used used() {
        long backend = server.database()
                .jdbc()
                .sql("select pg_backend_pid()")
                .query(Long.class)
                .single();
        var postmaster =
                ProcessHandle.of(backend).flatMap(ProcessHandle::parent).orElseThrow();
        return new Used(
                sum(Stream.of(server.handle())),
                sum(Stream.concat(Stream.of(postmaster), postmaster.children())),
                sum(Stream.of(ProcessHandle.current())));
    }

    private static Duration sum(Stream<ProcessHandle> processes) {
        return processes
                .map(p -> p.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
