package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The server is killed at labelled points of what it does to the ledger: a trigger lets it come so far and no further,
 * and then it is dead. Whatever it was about, the next server finds nothing lost, and tells the cluster nothing twice.
 */
class CrashPointsTest {
    private static final Map<String, Object> PROPERTIES = Map.of(
            "muster.virtual.fleet", "scenarios/fleets/gpus-64.yaml",
            "muster.virtual.time-scale", 10,
            "muster.virtual.poll", "100ms");

    /** Where it dies, before a row is written: the table, and which row. */
    private enum Point {
        A_PLAN_IS_HALF_COMMITTED("insert", "replica", "new.rank_order = 1"),
        A_PLAN_IS_COMMITTED_AND_NOT_DISPATCHED(
                "update",
                "cluster_command",
                "new.kind = 'START' and old.claimed_by is null and new.claimed_by is not null"),
        A_GANG_IS_HALF_DISPATCHED("insert", "virtual_pod", "new.rank_order = 1"),
        PODS_ARE_MADE_AND_NOT_RECORDED(
                "update", "cluster_command", "new.kind = 'START' and old.done_at is null and new.done_at is not null"),
        A_GANG_IS_HALF_SEEN_TO_RUN(
                "update", "replica", "new.rank_order = 1 and new.phase = 'RUNNING' and old.phase <> 'RUNNING'"),
        A_SAVE_IS_HALF_RECORDED("insert", "checkpoint", "new.signal_id is not null"),
        A_STOP_IS_SAID_AND_NOT_RECORDED(
                "update", "cluster_command", "new.kind = 'STOP' and old.done_at is null and new.done_at is not null"),
        A_GANG_IS_HALF_GONE(
                "update", "replica", "new.rank_order = 1 and old.released_at is null and new.released_at is not null");

        private final String act;
        private final String table;
        private final String row;

        Point(String act, String table, String row) {
            this.act = act;
            this.table = table;
            this.row = row;
        }

        private int key() {
            return 4_700 + ordinal();
        }

        private String trigger() {
            return "crash_" + ordinal();
        }
    }

    @Test
    void whereverTheServerDiesNothingIsLostAndNothingIsDispatchedTwice() throws Exception {
        try (var database = Database.fresh();
                var server = new ServerProcess("crash-points", database, PROPERTIES).start();
                var crash = new Crash(database, server);
                var watch = new LedgerWatch(database)) {
            var lab = Fleets.pool(new Lab(server))
                    .team("a")
                    .quota("a", Fleets.POOL, 64)
                    .volume("a", "work");
            var gangs = new ArrayList<Long>();
            long saving = lab.job("a")
                    .gang(2, 4)
                    .trains("10h")
                    // However long the server is dead or held at a point, its time to save is not over.
                    .checkpoints("api", "5m", "20m")
                    .env("VIRTUAL_SAVE", "3s")
                    .submit();
            lab.await("it trains", () -> lab.state(saving).equals("RUNNING") && crash.nothingIsToBeSaid());

            crash.reach(Point.A_SAVE_IS_HALF_RECORDED, () -> act(lab, saving, "hold"));
            crash.reach(Point.A_GANG_IS_HALF_DISPATCHED, () -> gangs.add(gang(lab)));
            crash.reach(Point.A_PLAN_IS_HALF_COMMITTED, () -> gangs.add(gang(lab)));
            crash.andRise();
            lab.await("it saved and stopped", () -> lab.state(saving).equals("HELD"));
            act(lab, saving, "release");
            long stopped = lab.job("a").gang(2, 4).submit();
            lab.await(
                    "both run",
                    () -> lab.states(List.of(saving, stopped)).equals(List.of("RUNNING", "RUNNING"))
                            && gangs.stream().allMatch(gang -> lab.state(gang).equals("SUCCEEDED"))
                            && crash.nothingIsToBeSaid());

            // Facts stand still from the first point on, and with them whatever waits for one.
            crash.arm(Point.A_GANG_IS_HALF_GONE);
            act(lab, saving, "hold");
            crash.await(Point.A_GANG_IS_HALF_GONE);
            crash.reach(Point.PODS_ARE_MADE_AND_NOT_RECORDED, () -> gangs.add(gang(lab)));
            crash.reach(Point.A_STOP_IS_SAID_AND_NOT_RECORDED, () -> act(lab, stopped, "cancel"));
            crash.andRise();
            lab.await("it is stopped", () -> lab.state(stopped).equals("CANCELLED"));
            assertThat(lab.attempts(stopped).size()).isEqualTo(1);
            lab.await("it stopped again", () -> lab.state(saving).equals("HELD") && crash.nothingIsToBeSaid());

            crash.reach(Point.A_GANG_IS_HALF_SEEN_TO_RUN, () -> gangs.add(gang(lab)));
            crash.reach(Point.A_PLAN_IS_COMMITTED_AND_NOT_DISPATCHED, () -> gangs.add(gang(lab)));
            crash.andRise();

            check(lab, database, gangs, saving);
            watch.held();
            new Ledger(database).awaitBalance();
        }
    }

    private static void check(Lab lab, Database database, List<Long> gangs, long saving) {
        for (long gang : gangs) {
            lab.await("gang " + gang + " ends", () -> lab.state(gang).equals("SUCCEEDED"));
            assertThat(lab.attempts(gang).size()).as("attempts of " + gang).isEqualTo(1);
        }
        assertThat(lab.attempts(saving).size())
                .as("one attempt for each time it ran")
                .isEqualTo(2);
        assertThat(lab.attempts(saving).get(0).at("/resumeStep").asLong(-1))
                .as("the second went on from what was saved in the midst of a crash")
                .isEqualTo(database.jdbc()
                        .sql("select max(step) from checkpoint where job_id = ? and attempt = 1")
                        .param(saving)
                        .query(Long.class)
                        .single());
        lab.admin().post("/jobs/" + saving + "/cancel", Map.of());
        assertThat(lab.state(saving)).isEqualTo("CANCELLED");
        assertThat(database.jdbc().sql("""
                                select job_id || '/' || attempt from virtual_attempt
                                except select job_id || '/' || number from attempt""").query(String.class).list())
                .as("attempts on the cluster that the ledger does not know")
                .isEmpty();
        assertThat(database.jdbc()
                        .sql("select count(*) from job_event where why = 'node-lost' or why = 'admission'")
                        .query(Long.class)
                        .single())
                .as("nothing was refused or lost on the way")
                .isZero();
    }

    private static long gang(Lab lab) {
        return lab.job("a").gang(3, 4).trains("1m").submit();
    }

    private static void act(Lab lab, long job, String what) {
        lab.admin().post("/jobs/" + job + "/" + what, Map.of());
    }

    /** Brings the server to points of no return, and kills it there. */
    private static final class Crash implements AutoCloseable {
        private final Database database;
        private final ServerProcess server;
        private final Connection barrier;
        private final List<Point> armed = new ArrayList<>();

        Crash(Database database, ServerProcess server) throws SQLException {
            this.database = database;
            this.server = server;
            this.barrier = database.dataSource().getConnection();
            for (Point point : Point.values()) {
                install(point);
            }
        }

        /** A point that nobody has armed lets everybody pass. */
        private void install(Point point) throws SQLException {
            try (var sql = barrier.createStatement()) {
                sql.execute("create function " + point.trigger() + "() returns trigger language plpgsql as $$ begin"
                        + " perform pg_advisory_xact_lock_shared(" + point.key() + "); return new; end $$");
                sql.execute("create trigger " + point.trigger() + " before " + point.act + " on " + point.table
                        + " for each row when (" + point.row + ") execute function " + point.trigger() + "()");
            }
        }

        /** Does something that leads there, and waits until the server is there. */
        void reach(Point point, Runnable by) throws SQLException {
            arm(point);
            by.run();
            await(point);
        }

        void arm(Point point) throws SQLException {
            try (var sql = barrier.createStatement()) {
                sql.execute("select pg_advisory_lock(" + point.key() + ")");
            }
            armed.add(point);
        }

        void await(Point point) {
            long end = System.nanoTime() + Lab.PATIENCE.toNanos();
            while (!isThere(point)) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("the server never came to " + point);
                }
                Lab.sleep();
            }
        }

        private boolean isThere(Point point) {
            return database.jdbc()
                    .sql("""
                            select exists (select from pg_locks where locktype = 'advisory' and not granted
                                and objid = :key and database = (select oid from pg_database
                                    where datname = current_database()))""")
                    .param("key", point.key())
                    .query(Boolean.class)
                    .single();
        }

        /** Otherwise an earlier command would come to a point that is meant for a later one. */
        boolean nothingIsToBeSaid() {
            return database.jdbc()
                            .sql("select count(*) from cluster_command where done_at is null and not_before <= now()")
                            .query(Long.class)
                            .single()
                    == 0;
        }

        /** Dead at all points that were reached; then a new server on the same database. */
        void andRise() throws SQLException {
            server.kill();
            Domain.stop(database);
            try (var sql = barrier.createStatement()) {
                // What its connections were about is over with them, as when a machine loses power.
                sql.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and application_name = 'muster'");
                for (Point point : armed) {
                    sql.execute("select pg_advisory_unlock(" + point.key() + ")");
                }
            }
            armed.clear();
            server.start();
        }

        @Override
        public void close() throws SQLException {
            barrier.close();
        }
    }
}
