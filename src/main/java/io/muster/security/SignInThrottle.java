package io.muster.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Slows down guessing, by account and by source, in steps that double. An attempt is counted before its password is
 * looked at, so that a thousand at once count as a thousand. Names that nobody has are counted like those of users.
 */
@Component
class SignInThrottle {
    /** Failures within this time of each other add up. */
    private static final Duration MEMORY = Duration.ofHours(1);

    private static final Limit ACCOUNT = new Limit("user:", 5, Duration.ofMinutes(5));
    private static final Limit SOURCE = new Limit("source:", 30, Duration.ofMinutes(15));

    private final JdbcClient jdbc;

    SignInThrottle(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Limit(String prefix, int free, Duration most) {}

    /** Counts one attempt; the answer is how long to wait, when it may not be made now. */
    @Transactional
    Optional<Duration> attempt(String username, String source) {
        forgetOld();
        var bySource = count(SOURCE, network(source));
        if (bySource.isPresent()) return bySource;
        return count(ACCOUNT, username);
    }

    /** The password was right: nobody was guessing this account. */
    @Transactional
    void succeeded(String username, String source) {
        jdbc.sql("delete from sign_in_throttle where subject = ?")
                .param(ACCOUNT.prefix() + username)
                .update();
        jdbc.sql("update sign_in_throttle set failures = greatest(0, failures - 1), blocked_until = null"
                        + " where subject = ?")
                .param(SOURCE.prefix() + network(source))
                .update();
    }

    private Optional<Duration> count(Limit limit, String who) {
        String subject = limit.prefix() + who;
        int counted = jdbc.sql("""
                insert into sign_in_throttle as t (subject, failures, last_failure_at)
                values (:subject, 1, clock_timestamp())
                on conflict (subject) do update set
                    failures = case when t.last_failure_at < clock_timestamp() - make_interval(secs => :memory)
                        then 1 else t.failures + 1 end,
                    last_failure_at = clock_timestamp(),
                    blocked_until = case when t.failures + 1 > :free
                        and t.last_failure_at >= clock_timestamp() - make_interval(secs => :memory)
                        then clock_timestamp()
                            + make_interval(secs => least(:most, power(2, least(20, t.failures + 1 - :free))))
                        end
                where t.blocked_until is null or t.blocked_until <= clock_timestamp()""")
                .param("subject", subject)
                .param("memory", MEMORY.toSeconds())
                .param("free", limit.free())
                .param("most", limit.most().toSeconds())
                .update();
        return counted > 0 ? Optional.empty() : Optional.of(left(subject));
    }

    private Duration left(String subject) {
        long seconds = jdbc.sql("select ceil(extract(epoch from blocked_until - clock_timestamp()))::bigint"
                        + " from sign_in_throttle where subject = ?")
                .param(subject)
                .query(Long.class)
                .single();
        return Duration.ofSeconds(Math.max(1, seconds));
    }

    private void forgetOld() {
        jdbc.sql("delete from sign_in_throttle where last_failure_at < clock_timestamp() - interval '1 day'")
                .update();
    }

    /** Whoever has an IPv6 address has 2^64 of them: the network is what counts. */
    static String network(String source) {
        try {
            if (source.indexOf(':') < 0) return source;
            InetAddress address = InetAddress.getByName(source);
            if (!(address instanceof Inet6Address)) return source;
            byte[] bytes = address.getAddress();
            java.util.Arrays.fill(bytes, 8, 16, (byte) 0);
            return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
        } catch (UnknownHostException e) {
            return source;
        }
    }
}
