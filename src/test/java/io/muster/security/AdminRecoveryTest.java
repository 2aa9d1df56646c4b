package io.muster.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class AdminRecoveryTest {
    private static final Database DATABASE = Database.fresh();

    private final JdbcClient jdbc = DATABASE.jdbc();

    @AfterAll
    static void close() {
        DATABASE.close();
    }

    @Test
    void isAskedByItsOptionAlone() {
        assertThat(AdminRecovery.isAsked("--server.port=0")).isFalse();
        assertThat(AdminRecovery.isAsked("--muster.reset-admin-password")).isTrue();
        assertThat(AdminRecovery.isAsked("--muster.reset-admin-password=root")).isTrue();
    }

    @Test
    void givesALockedOutAdminANewPasswordToBeChanged() {
        UUID id = UUID.randomUUID();
        jdbc.sql("insert into principal (id, kind, username, display_name, platform_admin, disabled_at)"
                        + " values (?, 'USER', 'root', 'Root', true, now())")
                .param(id)
                .update();

        String told = run(0, "--muster.reset-admin-password=root");

        var password = Pattern.compile("is now  (\\S+)").matcher(told);
        assertThat(password.find()).isTrue();
        var checked = new Passwords(jdbc).check("root", password.group(1));
        assertThat(checked).isPresent();
        assertThat(checked.orElseThrow().mustChange()).isTrue();
        assertThat(jdbc.sql("select disabled_at is null from principal where id = ?")
                        .param(id)
                        .query(Boolean.class)
                        .single())
                .isTrue();
        assertThat(jdbc.sql("select count(*) from audit_entry where action = 'password.recover'")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void recoversNobodyButPlatformAdmins() {
        jdbc.sql("insert into principal (id, kind, username, display_name) values (?, 'USER', 'plain', 'Plain')")
                .param(UUID.randomUUID())
                .update();

        assertThat(run(1, "--muster.reset-admin-password=plain")).contains("no platform admin plain");
    }

    private static String run(int status, String option) {
        List<String> args = new ArrayList<>(List.of(option));
        DATABASE.properties().forEach((name, value) -> args.add("--" + name + "=" + value));
        var console = new ByteArrayOutputStream();
        int ended =
                AdminRecovery.run(new PrintStream(console, true, StandardCharsets.UTF_8), args.toArray(String[]::new));
        assertThat(ended).isEqualTo(status);
        return console.toString(StandardCharsets.UTF_8);
    }
}
