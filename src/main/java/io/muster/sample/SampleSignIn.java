package io.muster.sample;

import io.muster.security.Passwords;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/**
 * Lets a newcomer see the product as a researcher does: one sample person gets a password that was made up for this
 * installation, and that is told once, on the console and not in the log.
 */
class SampleSignIn {
    private final String username;
    private @Nullable String toTell;

    SampleSignIn(String username) {
        this.username = username;
    }

    /** Only when the samples were just written: a person of that name may else be anybody. */
    void give(People people, Passwords passwords) {
        Person person = people.find(username).orElseThrow();
        String password = Passwords.madeUp();
        passwords.set(person.id(), person.username(), password, false);
        toTell = password;
    }

    /** Above what is said to the administrator, which stands last. */
    @EventListener
    @Order(1_000)
    void tell(ApplicationReadyEvent ready) {
        if (toTell == null) return;
        PrintStream console = System.out;
        console.println("  To see it as a researcher, sign in as " + username + " with the password  " + toTell);
        console.println("  A sample person; the password is shown once.");
        console.println();
        toTell = null;
    }
}
