package io.muster.web.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.support.RestTest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The first page of 100,000 jobs comes in under 100 ms, whatever is asked of it. */
@RestTest
@Import(RestGround.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobListSpeedTest {
    private static final Duration MOST = Duration.ofMillis(100);
    /** The machine may be busy with something else; what reads too much is never quick. */
    private static final int TRIES = 200;

    @Autowired
    private RestGround rest;

    @Autowired
    private JdbcClient jdbc;

    @BeforeAll
    void settle() {
        TeamId rare = rest.team("rare");
        var ada = rest.member("ada", rest.team("many"), Role.MEMBER);
        rest.member("rob", rare, Role.MEMBER);
        jdbc.sql("""
                        insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, state,
                            submitted_at, waiting_since, ended_at, shape, labels)
                        select (select id from team where path = case when n % 20000 = 0 then 'rare' else 'many' end),
                            :user, 'job-' || n, 'normal', true, 8, 1,
                            case when n % 10 = 0 then 'QUEUED' else 'SUCCEEDED' end, now(), now(),
                            case when n % 10 = 0 then null else now() end, '[["worker",1,8]]', '{"n":"x"}'
                        from generate_series(1, 100000) n
                        """).param("user", ada.value()).update();
        jdbc.sql("analyze job").update();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/jobs",
                "/jobs?order=oldest",
                "/jobs?state=waiting",
                "/jobs?state=failed",
                "/jobs?state=active&state=ended",
                "/jobs?team=rare",
                "/jobs?team=many&state=waiting",
                "/jobs?user=me",
                "/jobs?user=me&state=held",
                "/jobs?q=job-99999",
                "/jobs?q=nothing-like-it",
                "/jobs?label=n:y"
            })
    void theFirstPageIsQuick(String path) {
        Duration best = Duration.ofDays(1);
        for (int i = 0; i < TRIES && best.compareTo(MOST) >= 0; i++) {
            long start = System.nanoTime();
            assertThat(rest.get("ada", path).status()).isEqualTo(200);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            best = took.compareTo(best) < 0 ? took : best;
        }
        assertThat(best).isLessThan(MOST);
    }
}
