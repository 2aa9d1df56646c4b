package io.muster.security;

import io.muster.model.Refusal;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Makes the first platform admin of an installation that has none. A password that was made up is told once, on the
 * console and not in the log, and has to be changed; one that was given stays.
 */
@Component
public class FirstAdmin {
    static final String USERNAME = "admin";

    /** What to say at the end of the start; null: nothing. */
    private @Nullable String toTell;

    FirstAdmin(
            People people,
            PrincipalEditor principals,
            Passwords passwords,
            JdbcClient jdbc,
            @Value("${muster.admin-password:${MUSTER_ADMIN_PASSWORD:}}") String given) {
        if (!isThere(jdbc)) {
            boolean made = given.isBlank();
            if (!made) accept(given);
            String password = made ? Secrets.password() : given;
            create(people, principals).ifPresent(admin -> {
                passwords.set(admin.id(), admin.username(), password, made);
                toTell = made
                        ? "password  " + password + "\n  It is shown once, and is to be changed at the first sign-in."
                        : "password in MUSTER_ADMIN_PASSWORD.";
            });
        }
    }

    /** After everything else that is said at the start, the address too, so that it is the last thing to read. */
    @EventListener
    @Order(Ordered.LOWEST_PRECEDENCE)
    void tell(ApplicationReadyEvent ready) {
        if (toTell == null) return;
        PrintStream console = System.out;
        console.println();
        console.println("  Sign in as " + USERNAME + " with the " + toTell);
        console.println();
        toTell = null;
    }

    /** A server that anybody can enter is better not started. */
    private static void accept(String given) {
        try {
            Passwords.accept("MUSTER_ADMIN_PASSWORD", given, USERNAME);
        } catch (Refusal refused) {
            throw new IllegalStateException("MUSTER_ADMIN_PASSWORD: " + refused.getMessage(), refused);
        }
    }

    private static boolean isThere(JdbcClient jdbc) {
        return jdbc.sql("select exists (select from principal p join identity i on i.principal_id = p.id"
                        + " where p.platform_admin)")
                .query(Boolean.class)
                .single();
    }

    /** Empty when another server was quicker. */
    private static Optional<Person> create(People people, PrincipalEditor principals) {
        var there = people.find(USERNAME);
        if (there.isPresent()) return there.filter(Person::platformAdmin);
        try {
            return Optional.of(principals.createUser((UserId) null, USERNAME, "Administrator", true));
        } catch (Refusal taken) {
            return Optional.empty();
        }
    }
}
