package io.muster.security;

import io.muster.audit.AuditTrail;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The way back for the last admin who forgot the password: {@code --muster.reset-admin-password[=name]}, with the right
 * to start the server on its database. It sets a new password, tells it, and ends; nothing else of the server runs.
 */
public final class AdminRecovery {
    private static final String OPTION = "--muster.reset-admin-password";

    private AdminRecovery() {}

    public static boolean isAsked(String... args) {
        return Arrays.stream(args).anyMatch(a -> a.equals(OPTION) || a.startsWith(OPTION + "="));
    }

    /** @return the exit status: 0 when a password was set */
    public static int run(PrintStream console, String... args) {
        String username = Arrays.stream(args)
                .filter(a -> a.startsWith(OPTION + "="))
                .map(a -> a.substring(OPTION.length() + 1))
                .findFirst()
                .orElse(FirstAdmin.USERNAME);
        var application = new SpringApplicationBuilder(Small.class).web(WebApplicationType.NONE);
        try (var context = application.run(args)) {
            var reset = new Reset(
                    context.getBean(JdbcClient.class),
                    context.getBean(AuditTrail.class),
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
            var password = reset.of(username);
            console.println(password.map(p -> "The password of " + username + " is now  " + p
                            + "\nIt is to be changed at the next sign-in.")
                    .orElse("There is no platform admin " + username + "."));
            return password.isPresent() ? 0 : 1;
        }
    }

    /** Only what reaches the database and the trail. */
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        JdbcClientAutoConfiguration.class,
        FlywayAutoConfiguration.class
    })
    @ComponentScan({"io.muster.database", "io.muster.audit"})
    static class Small {}

    /** Sets a password that has to be changed, lets a disabled admin in again and ends every session. */
    private record Reset(JdbcClient jdbc, AuditTrail audit, TransactionTemplate transaction) {
        Optional<String> of(String username) {
            return transaction.execute(tx -> find(username).map(user -> {
                String password = Secrets.password();
                new Passwords(jdbc).set(new io.muster.model.UserId(user), username, password, true);
                jdbc.sql("update principal set disabled_at = null where id = ? and disabled_at is not null")
                        .param(user)
                        .update();
                jdbc.sql("delete from spring_session where principal_name = ?")
                        .param(user.toString())
                        .update();
                jdbc.sql("delete from sign_in_throttle where subject = ?")
                        .param("user:" + username)
                        .update();
                audit.append(null, "password.recover", "user:" + user, null, Map.of("mustChange", true), "offline");
                return password;
            }));
        }

        private Optional<UUID> find(String username) {
            return jdbc.sql("select id from principal where username = ? and platform_admin")
                    .param(username)
                    .query(UUID.class)
                    .optional();
        }
    }
}
