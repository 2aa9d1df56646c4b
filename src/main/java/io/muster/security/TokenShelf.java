package io.muster.security;

import io.muster.retention.Shelf;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** API tokens that were revoked or have expired; who made and revoked them stands in the trail. By real time. */
@Component
class TokenShelf implements Shelf {
    private final JdbcClient jdbc;

    TokenShelf(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return "tokens";
    }

    @Override
    public Duration shipped() {
        return Duration.ofDays(90);
    }

    @Override
    public Removed remove(Duration kept, int most) {
        int rows = jdbc.sql("""
                        delete from api_token where id in (
                            select id from api_token
                            where least(revoked_at, expires_at) < clock_timestamp() - make_interval(secs => :kept)
                            limit :most)
                        """)
                .param("kept", kept.toSeconds())
                .param("most", most)
                .update();
        return Removed.of(rows, most);
    }
}
