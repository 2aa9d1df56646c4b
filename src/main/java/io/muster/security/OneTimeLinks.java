package io.muster.security;

import io.muster.audit.AuditTrail;
import io.muster.model.Refusal;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;

/** Links by which somebody sets a password once: for new users, and for those who forgot theirs. */
@Component
public class OneTimeLinks {
    private final JdbcClient jdbc;
    private final People people;
    private final Passwords passwords;
    private final Sessions sessions;
    private final AuditTrail audit;
    private final TransactionOperations transactions;

    OneTimeLinks(
            JdbcClient jdbc,
            People people,
            Passwords passwords,
            Sessions sessions,
            AuditTrail audit,
            TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.people = people;
        this.passwords = passwords;
        this.sessions = sessions;
        this.audit = audit;
        this.transactions = transactions;
    }

    /** A path to send to the user; it works for three days and replaces any before it. */
    @Transactional
    public String make(UserId by, Person person) {
        if (person.serviceOf() != null) throw Refusal.conflict("A service account signs in by token only.");
        String secret = Secrets.token();
        jdbc.sql("delete from one_time_link where principal_id = ? or expires_at < clock_timestamp()")
                .param(person.id().value())
                .update();
        jdbc.sql("insert into one_time_link (hash, principal_id, created_by, expires_at)"
                        + " values (?, ?, ?, clock_timestamp() + interval '3 days')")
                .params(Secrets.hash(secret), person.id().value(), by.value())
                .update();
        audit.append(by, "one-time-link.make", "user:" + person.id(), null, null, null);
        return "/one-time/" + secret;
    }

    /**
     * Sets the password of the link's user, uses the link up and ends their sessions: these after the commit, as they are
     * ended on a connection of their own, for which many who hold one would wait for each other.
     */
    public void use(String secret, String password) {
        UserId user = Objects.requireNonNull(transactions.execute(status -> setPassword(secret, password)));
        sessions.endAll(user, null);
    }

    private UserId setPassword(String secret, String password) {
        UserId user = jdbc.sql("""
                select principal_id from one_time_link
                where hash = ? and used_at is null and expires_at > clock_timestamp() for update""")
                .param(Secrets.hash(secret))
                .query((row, n) -> new UserId(row.getObject(1, UUID.class)))
                .optional()
                .orElseThrow(() -> Refusal.notFound("link, or it was used or is too old"));
        Person person = people.find(user).filter(p -> !p.disabled()).orElseThrow(() -> Refusal.notFound("link"));
        Passwords.accept("password", password, person.username());
        jdbc.sql("update one_time_link set used_at = clock_timestamp() where hash = ?")
                .param(Secrets.hash(secret))
                .update();
        passwords.set(user, person.username(), password, false);
        audit.append(user, "one-time-link.use", "user:" + user, null, Map.of("password", "set"), null);
        return user;
    }
}
