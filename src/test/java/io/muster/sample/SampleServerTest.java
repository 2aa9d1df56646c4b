package io.muster.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.inventory.Fleet;
import io.muster.job.JobCatalogue;
import io.muster.job.JobFilter;
import io.muster.job.JobRow;
import io.muster.model.JobState;
import io.muster.model.TeamPath;
import io.muster.policy.PolicyBook;
import io.muster.support.ServerTest;
import io.muster.tenancy.TeamDirectory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/** What a newcomer sees: the whole server with samples, ten times as fast. */
@ServerTest
@TestPropertySource(properties = {"muster.sample.enabled=true", "muster.virtual.time-scale=10"})
class SampleServerTest {
    private static final Duration SOON = Duration.ofMinutes(5);

    @Autowired
    private TeamDirectory teams;

    @Autowired
    private Fleet fleet;

    @Autowired
    private PolicyBook policy;

    @Autowired
    private JobCatalogue catalogue;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void aLivingFleetIsThereWithinSeconds() {
        assertThat(teams.find(new TeamPath("research/nlp"))).isPresent();
        assertThat(policy.current().values().minRuntime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(policy.granted(
                        "production",
                        teams.find(new TeamPath("production")).orElseThrow().id()))
                .isTrue();

        await("pools and nodes").atMost(SOON).until(() -> fleet.nodes().size() == 32);
        await("jobs that run").atMost(SOON).until(() -> count(JobState.RUNNING) >= 10);
        await("jobs that wait").atMost(SOON).until(() -> count(JobState.QUEUED) >= 1);
        await("jobs that end well").atMost(SOON).until(() -> count(JobState.SUCCEEDED) >= 3);

        assertThat(list(JobState.RUNNING)).map(JobRow::gpus).anyMatch(gpus -> gpus >= 8);
        long waiting = catalogue.depths().values().stream()
                .mapToLong(JobCatalogue.Depth::gpus)
                .sum();
        assertThat(waiting).isLessThan(300);
    }

    @Test
    void oneSamplePersonCanSignInAndNobodyElse() {
        assertThat(jdbc.sql("select subject from identity where password_hash is not null order by 1")
                        .query(String.class)
                        .list())
                .containsExactly("admin", "mei");
        assertThat(jdbc.sql("select count(*) from identity where must_change and subject = 'mei'")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private int count(JobState state) {
        return list(state).size();
    }

    private List<JobRow> list(JobState state) {
        var filter = new JobFilter(null, null, null, Set.of(state), null, null, null, Map.of(), false);
        return catalogue.list(filter, null, JobCatalogue.MOST);
    }
}
