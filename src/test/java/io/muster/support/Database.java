package io.muster.support;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A real, migrated, empty Postgres database for a test. One Postgres runs per JVM; the migrations run once, into a
 * template; each database is a copy of it, made in some 50 ms.
 *
 * <p>Without Spring:
 *
 * <pre>{@code
 * private static final Database database = Database.fresh();
 * private final JdbcClient jdbc = database.jdbc();
 * }</pre>
 *
 * <p>With Spring: annotate the test class with {@link ServerTest} (the whole server on a random port) or
 * {@link FreshDatabase} (beside a {@code @SpringBootTest} of your own); inject the {@code DataSource}. For a context
 * started by hand, pass {@link #properties()} as its properties: two contexts given the same database are two servers.
 */
public final class Database implements AutoCloseable {
    /** Small, because many contexts may be cached in one JVM. */
    private static final int POOL_SIZE = 8;

    private static final String TEMPLATE = "muster_template";
    /** Tests have no use for what survives a power cut; a benchmark pays for it as a real database does. */
    private static final boolean DURABLE = Boolean.getBoolean("database.durable");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name;
    private final HikariDataSource pool;

    private Database(String name) {
        this.name = name;
        this.pool = new HikariDataSource();
        pool.setPoolName(name);
        pool.setJdbcUrl(url());
        pool.setUsername("postgres");
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setMinimumIdle(0);
    }

    /** A new empty database with every migration applied. Stays until the JVM ends. */
    public static Database fresh() {
        var name = "test_" + COUNT.incrementAndGet();
        Server.execute("create database " + name + " template " + TEMPLATE);
        return new Database(name);
    }

    public String url() {
        return Server.url(name);
    }

    public DataSource dataSource() {
        return pool;
    }

    public JdbcClient jdbc() {
        return JdbcClient.create(pool);
    }

    /** What makes a Spring context (or a server process) use this database. */
    public Map<String, Object> properties() {
        return Map.of(
                // Quartz keeps data sources by this name for the whole JVM.
                "spring.quartz.properties.org.quartz.scheduler.instanceName",
                name,
                "spring.datasource.url",
                url(),
                "spring.datasource.username",
                "postgres",
                "spring.datasource.password",
                "postgres",
                "spring.datasource.hikari.maximum-pool-size",
                POOL_SIZE,
                "spring.datasource.hikari.minimum-idle",
                0);
    }

    /** Closes this object's own connections; the database stays. */
    @Override
    public void close() {
        pool.close();
    }

    /** Gives a context a database of its own: {@code @ContextConfiguration(initializers = Database.Initializer.class)}. */
    public static final class Initializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            use(fresh(), context);
        }
    }

    static void use(Database database, ConfigurableApplicationContext context) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test database", database.properties()));
    }

    /** Started when the first test asks; stopped when the JVM ends. */
    private static final class Server {
        private static final EmbeddedPostgres POSTGRES = start();

        static String url(String database) {
            return "jdbc:postgresql://localhost:" + POSTGRES.getPort() + "/" + database;
        }

        static void execute(String sql) {
            execute(POSTGRES, sql);
        }

        private static EmbeddedPostgres start() {
            try {
                var postgres = EmbeddedPostgres.builder()
                        .setRegisterShutdownHook(false)
                        .setLocaleConfig("locale", "C")
                        .setLocaleConfig("locale-provider", "builtin")
                        .setLocaleConfig("builtin-locale", "C.UTF-8")
                        .setServerConfig("max_connections", "400")
                        .setServerConfig("full_page_writes", DURABLE ? "on" : "off")
                        .setServerConfig("fsync", DURABLE ? "on" : "off")
                        .setServerConfig("synchronous_commit", DURABLE ? "on" : "off")
                        .setServerConfig("random_page_cost", "1.1")
                        // For benchmarks that ask it what statements cost.
                        .setServerConfig("shared_preload_libraries", System.getProperty("database.preload", ""))
                        .start();
                // After the last context is closed: a server that loses its database takes long to stop.
                SpringApplication.getShutdownHandlers().add(() -> stop(postgres));
                execute(postgres, "create database " + TEMPLATE);
                Flyway.configure()
                        .dataSource(postgres.getDatabase("postgres", TEMPLATE))
                        .locations("classpath:db/migration")
                        .validateMigrationNaming(true)
                        .load()
                        .migrate();
                return postgres;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void stop(EmbeddedPostgres postgres) {
            try {
                postgres.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void execute(EmbeddedPostgres postgres, String sql) {
            try (var connection = postgres.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(sql, e);
            }
        }
    }
}
