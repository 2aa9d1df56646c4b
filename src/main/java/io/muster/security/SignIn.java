package io.muster.security;

import io.muster.audit.AuditTrail;
import io.muster.model.Refusal;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Signs people in and out, and changes their passwords. */
@Component
public class SignIn {
    private final Passwords passwords;
    private final SignInThrottle throttle;
    private final Sessions sessions;
    private final People people;
    private final AuditTrail audit;
    private final TransactionTemplate transaction;

    SignIn(
            Passwords passwords,
            SignInThrottle throttle,
            Sessions sessions,
            People people,
            AuditTrail audit,
            PlatformTransactionManager transactions) {
        this.passwords = passwords;
        this.throttle = throttle;
        this.sessions = sessions;
        this.people = people;
        this.audit = audit;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** What came of it. */
    public sealed interface Outcome {
        /** The session has begun. */
        record SignedIn(Caller caller) implements Outcome {}

        /** The name or the password is wrong, or the user disabled: nobody is told which. */
        record Wrong() implements Outcome {}

        /** Too many attempts; not even looked at. */
        record Blocked(Duration retryAfter) implements Outcome {}
    }

    public Outcome signIn(HttpServletRequest request, String name, String password) {
        String username = name.strip().toLowerCase(Locale.ROOT);
        if (username.length() > 63) username = username.substring(0, 63);
        String source = request.getRemoteAddr();
        Optional<Duration> blocked = throttle.attempt(username, source);
        if (blocked.isPresent()) return new Outcome.Blocked(blocked.get());

        var checked = passwords.check(username, password);
        var reader = checked.flatMap(c -> people.reader(c.user()));
        if (checked.isEmpty() || reader.isEmpty()) return new Outcome.Wrong();
        throttle.succeeded(username, source);
        boolean mustChange = checked.get().mustChange();
        String session = sessions.begin(request, checked.get().user(), mustChange);
        record(checked.get().user(), "session.begin");
        return new Outcome.SignedIn(new Caller(reader.get(), session, null, mustChange));
    }

    public void signOut(HttpServletRequest request, UserId user) {
        sessions.end(request);
        record(user, "session.end");
    }

    /** Other sessions of the user end: whoever knew the old password is out. */
    public void changePassword(HttpServletRequest request, Caller caller, String current, String next) {
        String username = caller.reader().username();
        Passwords.accept("next", next, username);
        if (throttle.attempt(username, request.getRemoteAddr()).isPresent()) {
            throw Refusal.conflict("current", "Too many attempts: wait a little.");
        }
        if (passwords.check(username, current).isEmpty()) throw Refusal.invalid("current", "is not your password");
        if (current.equals(next)) throw Refusal.invalid("next", "must differ from the current one");
        throttle.succeeded(username, request.getRemoteAddr());
        UserId user = caller.reader().user();
        transaction.executeWithoutResult(tx -> {
            passwords.set(user, username, next, false);
            audit.append(user, "password.change", "user:" + user, null, null, null);
        });
        sessions.passwordChanged(request);
        sessions.endAll(user, caller.session());
    }

    /** Ends every session of a user who was disabled: none comes back to life when they are enabled again. */
    public void endSessions(UserId user) {
        sessions.endAll(user, null);
    }

    /** Refuses a password that is too short or too easy to guess. */
    public static void check(String field, String password, String username) {
        Passwords.accept(field, password, username);
    }

    /** First password of a new user, by whoever made them; it has to be changed. */
    public void givePassword(UserId by, Person person, String password) {
        Passwords.accept("password", password, person.username());
        transaction.executeWithoutResult(tx -> {
            passwords.set(person.id(), person.username(), password, true);
            audit.append(by, "password.set", "user:" + person.id(), null, Map.of("mustChange", true), null);
        });
    }

    private void record(UserId user, String action) {
        transaction.executeWithoutResult(tx -> audit.append(user, action, "user:" + user, null, null, null));
    }
}
