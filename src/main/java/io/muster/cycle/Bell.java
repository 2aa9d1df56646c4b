package io.muster.cycle;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Hears on a connection of its own what other servers tell by {@code NOTIFY}, and wakes the loop. The connection is also
 * the sign that this server lives: it ends with the process, however that ends.
 */
@Component
class Bell implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Bell.class);
    private static final int LISTEN_MILLIS = 1000;
    private static final Duration AFTER_ERROR = Duration.ofSeconds(2);

    private final DataSource database;
    private final WakeUps wakeUps;
    private final Leadership leadership;
    private final CycleSettings settings;
    private volatile boolean running;
    private @Nullable Thread listener;

    Bell(DataSource database, WakeUps wakeUps, Leadership leadership, CycleSettings settings) {
        this.database = database;
        this.wakeUps = wakeUps;
        this.leadership = leadership;
        this.settings = settings;
    }

    @Override
    public void start() {
        running = true;
        if (settings.enabled()) {
            listener = Thread.ofVirtual().name("bell").start(this::listenUntilStopped);
        }
    }

    private void listenUntilStopped() {
        while (running) {
            try (Connection connection = database.getConnection()) {
                listen(connection);
            } catch (SQLException e) {
                LOG.warn("The loop hears no other servers until the database is back: {}", e.getMessage());
                pause();
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("listen muster_job_event");
            statement.execute("listen " + Tick.CHANNEL);
            leadership.livesWith(session(statement));
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try {
            while (running) {
                var heard = postgres.getNotifications(LISTEN_MILLIS);
                if (heard != null && heard.length > 0) {
                    wakeUps.wake();
                }
            }
        } finally {
            leadership.livesWith(null);
            try (var statement = connection.createStatement()) {
                statement.execute("unlisten *");
            }
        }
    }

    static Leadership.Session session(Statement statement) throws SQLException {
        try (var row = statement.executeQuery(
                "select pid, backend_start from pg_stat_activity where pid = pg_backend_pid()")) {
            row.next();
            return new Leadership.Session(row.getInt(1), row.getObject(2, OffsetDateTime.class));
        }
    }

    private void pause() {
        try {
            Thread.sleep(AFTER_ERROR);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running = false;
        }
    }

    @Override
    public void stop() {
        running = false;
        if (listener != null) {
            try {
                listener.join(Duration.ofMillis(3L * LISTEN_MILLIS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
