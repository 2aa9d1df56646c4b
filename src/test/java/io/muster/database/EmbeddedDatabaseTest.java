package io.muster.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {
    @TempDir
    private static Path made;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeOnce() {
        EmbeddedDatabase.start(made).close();
    }

    @BeforeEach
    void copy() throws Exception {
        var copied = new ProcessBuilder("cp", "-a", made + "/.", folder.toString())
                .inheritIO()
                .start();
        assertThat(copied.waitFor()).isZero();
    }

    @Test
    void makesADatabaseInAnEmptyFolder(@TempDir Path empty) throws Exception {
        try (var database = EmbeddedDatabase.start(empty.resolve("data"))) {
            assertThat(ask(database, "select current_database()")).isEqualTo("muster");
        }
        assertThat(permissions(empty.resolve("data"))).isEqualTo("rwx------");
    }

    @Test
    void keepsWhatWasCommittedAcrossRestarts() throws Exception {
        try (var database = EmbeddedDatabase.start(folder)) {
            execute(database, "create table kept as select 42 as answer");
        }
        try (var database = EmbeddedDatabase.start(folder)) {
            assertThat(ask(database, "select answer from kept")).isEqualTo("42");
        }
    }

    @Test
    void refusesAFolderThatAnotherServerHolds() {
        try (var _ = EmbeddedDatabase.start(folder)) {
            assertThatThrownBy(() -> EmbeddedDatabase.start(folder))
                    .isInstanceOf(DataFolderInUseException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        EmbeddedDatabase.start(folder).close();
    }

    @Test
    void stopsThePostgresThatAKilledServerLeftBehind() throws Exception {
        var server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = server.inputReader()) {
            assertThat(output.lines().filter("committed"::equals).findFirst()).isPresent();
        } finally {
            server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        var leftover = postmaster();
        assertThat(leftover.isAlive()).isTrue();

        try (var database = EmbeddedDatabase.start(folder)) {
            assertThat(leftover.isAlive()).isFalse();
            assertThat(ask(database, "select answer from kept")).isEqualTo("42");
        }
    }

    @Test
    void startsAlthoughThePidFileNamesAnotherProgram() throws Exception {
        var innocent = ProcessHandle.current().pid();
        Files.write(folder.resolve("postgres/postmaster.pid"), List.of(Long.toString(innocent), "anything"));

        try (var database = EmbeddedDatabase.start(folder)) {
            assertThat(ask(database, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void asksForThePasswordThatOnlyTheOwnerCanRead() throws Exception {
        try (var database = EmbeddedDatabase.start(folder)) {
            for (var user : List.of(database.user(), "postgres")) {
                assertThatThrownBy(() -> DriverManager.getConnection(database.url(), user, "guess"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("password authentication failed");
            }
            assertThat(ask(database, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(ask(database, "select rolsuper from pg_roles where rolname = current_user"))
                    .isEqualTo("f");
            assertThat(ask(database, "show fsync")).isEqualTo("on");
        }
        assertThat(permissions(folder.resolve("postgres-password"))).isEqualTo("rw-------");
    }

    private static String permissions(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private ProcessHandle postmaster() throws Exception {
        var pid = Files.readAllLines(folder.resolve("postgres/postmaster.pid")).getFirst();
        return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
    }

    private static void execute(EmbeddedDatabase database, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(EmbeddedDatabase database, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** A server that commits and then waits for its death. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws Exception {
            var database = EmbeddedDatabase.start(Path.of(args[0]));
            execute(database, "create table kept as select 42 as answer");
            System.out.println("committed");
            Thread.sleep(60_000);
            database.close();
        }
    }
}
