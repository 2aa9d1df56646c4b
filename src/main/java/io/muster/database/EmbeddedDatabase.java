package io.muster.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Postgres process that lives as long as this object, with its data in a {@link DataFolder}. It listens on loopback
 * only, asks for a password, and writes as durably as any Postgres: what was committed survives {@code kill -9}.
 */
final class EmbeddedDatabase implements AutoCloseable {
    static final String NAME = "muster";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final int START_ATTEMPTS = 5;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final DataFolder folder;
    private final EmbeddedPostgres postgres;

    private EmbeddedDatabase(DataFolder folder, EmbeddedPostgres postgres) {
        this.folder = folder;
        this.postgres = postgres;
    }

    /** @throws DataFolderInUseException when another server holds the folder */
    static EmbeddedDatabase start(Path path) {
        var folder = DataFolder.open(path);
        try {
            new LeftoverPostgres(folder.postgresData()).clear();
            var database = new EmbeddedDatabase(folder, launch(folder));
            database.createUnlessThere();
            LOG.info("Embedded Postgres is ready: {}, data in {}", database.url(), folder.postgresData());
            return database;
        } catch (IOException | SQLException e) {
            throw released(folder, new IllegalStateException("The embedded database does not start", e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw released(folder, new IllegalStateException("Interrupted while the embedded database started", e));
        } catch (RuntimeException e) {
            throw released(folder, e);
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + NAME;
    }

    String user() {
        return NAME;
    }

    String password() {
        return folder.password();
    }

    @Override
    public void close() {
        try (folder) {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The backends of a Postgres killed a moment ago take a while to go; until then a new one refuses to start. */
    private static EmbeddedPostgres launch(DataFolder folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return configured(folder).start();
            } catch (IOException | IllegalStateException e) {
                if (attempt == START_ATTEMPTS) throw e;
                LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
            }
        }
    }

    private static EmbeddedPostgres.Builder configured(DataFolder folder) {
        var password = folder.password();
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.postgresData())
                .setOverrideWorkingDirectory(folder.postgresSoftware().toFile())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false) // Spring closes this after the last user of the database
                .setPGStartupWait(Duration.ofSeconds(60))
                .setConnectConfig("password", password)
                // initdb takes the last of two equal options: the library's own is "trust"
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", folder.passwordFile().toString())
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                // No disk of today turns: an index is worth its reads sooner than Postgres thinks.
                .setServerConfig("random_page_cost", "1.1")
                .setServerConfig("max_connections", "100")
                .setServerConfig("logging_collector", "on")
                .setServerConfig("log_filename", "postgresql-%a.log")
                .setServerConfig("log_truncate_on_rotation", "on");
    }

    private void createUnlessThere() throws SQLException {
        var superuser = postgres.getPostgresDatabase(Map.of("password", password()));
        if (exists(superuser)) return;
        try (var connection = superuser.getConnection();
                var statement = connection.createStatement()) {
            // The server itself is no superuser: a flaw in it must not reach the operating system through SQL.
            statement.execute("drop role if exists " + NAME);
            statement.execute("create role " + NAME + " login password '" + password() + "'");
            statement.execute("create database " + NAME + " owner " + NAME);
        }
    }

    private static boolean exists(DataSource superuser) throws SQLException {
        try (var connection = superuser.getConnection();
                var query = connection.prepareStatement("select 1 from pg_database where datname = ?")) {
            query.setString(1, NAME);
            try (var found = query.executeQuery()) {
                return found.next();
            }
        }
    }

    private static RuntimeException released(DataFolder folder, RuntimeException failure) {
        try {
            folder.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }
}
