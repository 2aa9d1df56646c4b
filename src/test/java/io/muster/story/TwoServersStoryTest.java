package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two servers on one database: the one that plans is killed while it starts a gang, and the other carries on. */
class TwoServersStoryTest {
    private static final Map<String, Object> PROPERTIES = Map.of(
            "muster.virtual.fleet", "scenarios/fleets/gpus-64.yaml",
            "muster.virtual.time-scale", 10,
            "muster.virtual.poll", "100ms");

    @Test
    void theOtherServerCarriesOnWhenThePlannerDiesInMidGang() {
        try (var database = Database.fresh();
                var one = new ServerProcess("two-servers-one", database, PROPERTIES).start();
                var two = new ServerProcess("two-servers-two", database, PROPERTIES);
                var watch = new LedgerWatch(database)) {
            var lab = Fleets.pool(new Lab(one)).team("a").quota("a", Fleets.POOL, 64);
            var before = lab.job("a").gang(2, 8).trains("10m").submit();
            lab.await(
                    "a job runs under the first server", () -> lab.state(before).equals("RUNNING"));
            long epoch = epoch(database);
            two.start();

            var gang = lab.job("a")
                    .gang(6, 8)
                    .trains("3m")
                    .env("VIRTUAL_START", "60s")
                    .submit();
            lab.await("the gang is about to start", () -> lab.state(gang).equals("STARTING"));
            one.kill();

            var other = new Lab(two).sameTeams(lab);
            var next = other.job("a").trains("1m").submit();
            other.await("the other server plans", () -> epoch(database) > epoch);
            other.await("the gang runs, whole", () -> other.state(gang).equals("RUNNING"));
            assertThat(other.nodes(gang)).hasSize(6).doesNotHaveDuplicates();
            for (long job : new long[] {before, gang, next}) {
                other.await("job " + job + " ends", () -> other.state(job).equals("SUCCEEDED"));
                assertThat(other.attempts(job).size()).as("attempts of " + job).isEqualTo(1);
            }
            watch.held();
            new Ledger(database).awaitBalance();
        }
    }

    private static long epoch(Database database) {
        return database.jdbc()
                .sql("select epoch from scheduler_epoch")
                .query(Long.class)
                .single();
    }
}
