package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.muster.support.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who leads after whom, with a lease so long that it never runs out here. */
class HandOverTest {
    private static final CycleSettings LONG_LEASE =
            new CycleSettings(true, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofHours(1));

    private final Database database = Database.fresh();
    private final Leadership one = leadership();
    private final Leadership other = leadership();

    private Leadership leadership() {
        return new Leadership(database.jdbc(), LONG_LEASE, new SimpleMeterRegistry());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aLeaderWhoseConnectionIsGoneIsReplacedAtOnce() throws SQLException {
        try (Connection life = connection()) {
            one.livesWith(session(life));
            assertThat(one.lead()).isTrue();
            assertThat(other.lead()).as("while it lives").isFalse();
            kill(life);
            await().atMost(Duration.ofMinutes(1)).until(other::lead);
        }

        assertThat(other.isOurs()).isTrue();
        assertThat(one.isOurs()).as("whatever it believes").isFalse();
        assertThat(one.epoch()).isEmpty();
        assertThat(one.lead())
                .as("it lost its epoch, and the other has no connection to lose")
                .isFalse();
    }

    @Test
    void aLeaderThatConnectsAnewStaysOne() throws SQLException {
        try (Connection life = connection();
                Connection next = connection()) {
            one.livesWith(session(life));
            one.lead();
            one.livesWith(session(next));
            one.lead();
            kill(life);

            assertThat(other.lead()).isFalse();
            assertThat(one.isOurs()).isTrue();
        }
    }

    @Test
    void aLeaderWithoutAConnectionIsReplacedOnlyWhenItsLeaseHasRunOut() throws SQLException {
        try (Connection life = connection()) {
            one.livesWith(session(life));
            one.lead();
            one.livesWith(null);
            one.lead();
            kill(life);

            assertThat(other.lead()).isFalse();
            database.jdbc()
                    .sql("update scheduler_epoch set renewed_at = renewed_at - interval '2 hours'")
                    .update();
            assertThat(other.lead()).isTrue();
        }
    }

    /** Of no pool, as it will be broken. */
    private Connection connection() throws SQLException {
        return DriverManager.getConnection(database.url(), "postgres", "postgres");
    }

    private static Leadership.Session session(Connection connection) throws SQLException {
        try (var sql = connection.createStatement()) {
            return Bell.session(sql);
        }
    }

    private void kill(Connection connection) throws SQLException {
        OffsetDateTime since;
        try (var sql = connection.createStatement()) {
            since = Bell.session(sql).since();
        }
        database.jdbc()
                .sql("select pg_terminate_backend(pid) from pg_stat_activity where backend_start = :since"
                        + " and datname = current_database()")
                .param("since", since)
                .query(Boolean.class)
                .single();
    }
}
