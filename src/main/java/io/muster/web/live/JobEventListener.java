package io.muster.web.live;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Hears that there are new events, from whatever server wrote them, and wakes the hub. Losing it costs half a second. */
@Component
class JobEventListener implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(JobEventListener.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final int WAIT_MILLIS = 1000;

    private final DataSource database;
    private final LiveHub hub;
    private volatile boolean running;
    private @Nullable Thread thread;

    JobEventListener(DataSource database, LiveHub hub) {
        this.database = database;
        this.hub = hub;
    }

    private void run() {
        while (running) {
            try (Connection connection = database.getConnection()) {
                hear(connection);
            } catch (SQLException e) {
                if (running) {
                    LOG.info("Notifications of events are lost for a moment: {}", e.getMessage());
                    pause();
                }
            }
        }
    }

    private void hear(Connection connection) throws SQLException {
        try (Statement listen = connection.createStatement()) {
            listen.execute("listen muster_job_event");
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try {
            while (running) {
                if (postgres.getNotifications(WAIT_MILLIS).length > 0) {
                    hub.wake();
                }
            }
        } finally {
            if (!connection.isClosed()) {
                try (Statement unlisten = connection.createStatement()) {
                    unlisten.execute("unlisten *");
                }
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(AGAIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        running = true;
        thread = Thread.ofPlatform().daemon().name("job-events").start(this::run);
    }

    @Override
    public void stop() {
        running = false;
        Thread started = thread;
        if (started != null) {
            try {
                started.join(Duration.ofSeconds(3));
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
