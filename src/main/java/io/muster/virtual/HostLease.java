package io.muster.virtual;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which of several servers tells: real time, by the database's own clock. */
final class HostLease {
    static final Duration LENGTH = Duration.ofSeconds(4);

    private final JdbcClient jdbc;
    private final String me;

    HostLease(JdbcClient jdbc, String me) {
        this.jdbc = jdbc;
        this.me = me;
    }

    /** What holding it came to. */
    enum Held {
        NO,
        STILL,
        NEWLY
    }

    /** Takes or renews it. A holder that comes back late and was not replaced holds it still: nobody else has told. */
    Held hold() {
        return jdbc.sql("""
                update virtual_host as now set holder = :me, held_until = clock_timestamp() + :length * interval '1 ms'
                from (select holder, held_until from virtual_host for update) as before
                where before.holder = :me or before.held_until < clock_timestamp()
                returning before.holder = :me
                """)
                .param("me", me)
                .param("length", LENGTH.toMillis())
                .query(Boolean.class)
                .optional()
                .map(still -> still ? Held.STILL : Held.NEWLY)
                .orElse(Held.NO);
    }

    void release() {
        jdbc.sql("update virtual_host set held_until = 'epoch' where holder = ?")
                .param(me)
                .update();
    }
}
