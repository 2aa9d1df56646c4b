package io.muster.security;

import io.muster.model.Refusal;
import io.muster.model.UserId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Passwords of local identities, hashed by Spring Security's current encoder and re-hashed when that changes. */
@Component
public class Passwords {
    static final String LOCAL = "local";
    private static final int SHORTEST = 10;
    /** What bcrypt looks at. */
    private static final int LONGEST_BYTES = 72;

    private final JdbcClient jdbc;
    private final PasswordEncoder encoder = PasswordEncoderFactories.createDelegatingPasswordEncoder();
    /** Checked when there is no such user, so that the answer takes as long as for a wrong password. */
    private final String nobodys = encoder.encode(Secrets.token());

    Passwords(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A password that was right. */
    record Checked(UserId user, boolean mustChange) {}

    /** @param mustChange true: the next sign-in has to change it first */
    @Transactional
    public void set(UserId user, String username, String password, boolean mustChange) {
        jdbc.sql("""
                insert into identity (issuer, subject, principal_id, password_hash, must_change)
                values ('local', :username, :user, :hash, :must)
                on conflict (issuer, subject) do update set password_hash = excluded.password_hash,
                    must_change = excluded.must_change, changed_at = clock_timestamp()""")
                .param("username", username)
                .param("user", user.value())
                .param("hash", encoder.encode(password))
                .param("must", mustChange)
                .update();
    }

    /** The user whose password this is; takes as long when there is none. */
    Optional<Checked> check(String username, String password) {
        var row = jdbc.sql("select principal_id, password_hash, must_change from identity"
                        + " where issuer = 'local' and subject = ? and password_hash is not null")
                .param(username)
                .query((r, n) -> new Row(r.getObject(1, UUID.class), r.getString(2), r.getBoolean(3)))
                .optional();
        boolean right = matches(password, row.map(Row::hash).orElse(nobodys));
        return row.filter(r -> right).map(r -> new Checked(new UserId(r.user()), r.mustChange()));
    }

    /** One that was not there before, for a person to type. */
    public static String madeUp() {
        return Secrets.password();
    }

    private boolean matches(String password, String hash) {
        boolean whole = password.getBytes(StandardCharsets.UTF_8).length <= LONGEST_BYTES;
        return encoder.matches(whole ? password : "", hash) && whole;
    }

    /** Length is what counts; rules about kinds of characters make people choose worse ones. */
    static void accept(String field, String password, String username) {
        int bytes = password.getBytes(StandardCharsets.UTF_8).length;
        if (password.length() < SHORTEST || bytes > LONGEST_BYTES) {
            throw Refusal.invalid(
                    field, "must be at least " + SHORTEST + " characters and at most " + LONGEST_BYTES + " bytes");
        }
        if (password.equalsIgnoreCase(username) || password.chars().distinct().count() < 4) {
            throw Refusal.invalid(field, "is too easy to guess");
        }
    }

    private record Row(UUID user, String hash, boolean mustChange) {}
}
