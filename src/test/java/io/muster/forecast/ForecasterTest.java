package io.muster.forecast;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ModeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ForecasterTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Forecaster FORECASTER = new Forecaster(Forecaster.Bounds.SHIPPED);

    private static Known known(RunTimes runTimes, JobFacts... arrivals) {
        return new Known(runTimes, id -> Duration.ZERO, List.of(arrivals), Duration.ofHours(24));
    }

    private static Map<JobId, StartForecast> forecast(ClusterSnapshot snapshot, Known known) {
        return Forecaster.byJob(FORECASTER.forecast(snapshot, known, 7, () -> true));
    }

    private static StartForecast of(long job, Map<JobId, StartForecast> all) {
        return Objects.requireNonNull(all.get(new JobId(job)));
    }

    /** Jobs run to their walltime. */
    private static final RunTimes TO_THE_END =
            (job, ran, most, quantile) -> most == null ? Duration.ofDays(1_000) : most;

    private static final RunTimes LEARNED = new LearnedRunTimes(new RunTimeHistory(), Duration.ofHours(24));

    private static Cluster oneNode(Job... others) {
        return cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(9).gpus(8).on("n1").walltime(Duration.ofHours(3)))
                .jobs(others);
    }

    @Test
    void jobStartsWhenTheOneBeforeItHasEnded() {
        var made = forecast(oneNode(job(1).gpus(8)).snapshot(), known(TO_THE_END));
        assertThat(of(1, made).p90()).isEqualTo(NOW.plus(HOUR.multipliedBy(2)));
        assertThat(of(1, made).laterThan()).isNull();
    }

    @Test
    void jobsStartOneAfterTheOther() {
        var made = forecast(
                oneNode(
                                job(1).gpus(8).walltime(HOUR).submitted(HOUR),
                                job(2).gpus(8).walltime(HOUR).submitted(Duration.ofMinutes(30)))
                        .snapshot(),
                known(LEARNED));
        var first = of(1, made);
        var second = of(2, made);
        assertThat(first.p50()).isAfter(NOW).isBeforeOrEqualTo(first.p90());
        assertThat(second.p50()).isAfter(first.p50()).isBeforeOrEqualTo(second.p90());
        assertThat(second.p90()).isBeforeOrEqualTo(NOW.plus(HOUR.multipliedBy(3)));
    }

    @Test
    void victimsMakeRoomWithinTheirGrace() {
        var snapshot = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(job(9).team("b").gpus(8).on("n1"), job(1).gpus(8))
                .snapshot();
        assertThat(of(1, forecast(snapshot, known(TO_THE_END))).p90()).isBetween(NOW, NOW.plus(Duration.ofMinutes(5)));
    }

    @Test
    void nobodyKnowsWhenAPauseEnds() {
        var paused = new ModeView(null, null, null, Map.of(new PoolId("gpu"), "repair"), Map.of());
        var made = of(1, forecast(oneNode(job(1).gpus(8)).mode(paused).snapshot(), known(TO_THE_END)));
        assertThat(made.p50()).isNull();
        assertThat(made.p90()).isNull();
        assertThat(made.laterThan()).isNull();
    }

    @Test
    void whatLiesBeyondTheHorizonIsSaidToBeLater() {
        var snapshot = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(9).gpus(8).on("n1"), job(1).gpus(8))
                .snapshot();
        var made = of(1, forecast(snapshot, known(TO_THE_END)));
        assertThat(made.p50()).isNull();
        assertThat(made.laterThan()).isAfterOrEqualTo(NOW.plus(Duration.ofDays(7)));
    }

    @Test
    void whoIsYetToComeDelaysThoseTheyPass() {
        // What is kept for the first of the queue stays kept; the second can be passed.
        var snapshot = oneNode(
                        job(1).gpus(8).walltime(HOUR).submitted(HOUR),
                        job(2).gpus(8).walltime(HOUR).submitted(Duration.ofMinutes(10)))
                .snapshot();
        var arrivals = new ArrayList<JobFacts>();
        for (int i = 0; i < 24; i++) {
            arrivals.add(job(100 + i)
                    .priority(1000)
                    .gpus(8)
                    .walltime(HOUR)
                    .submitted(HOUR.multipliedBy(i))
                    .facts(List.of("gpu")));
        }
        var alone = of(2, forecast(snapshot, known(TO_THE_END)));
        var crowded = of(2, forecast(snapshot, known(TO_THE_END, arrivals.toArray(JobFacts[]::new))));
        assertThat(latest(crowded)).isAfter(latest(alone));
    }

    private static Instant latest(StartForecast f) {
        var p90 = f.p90();
        return p90 != null ? p90 : Objects.requireNonNull(f.laterThan());
    }

    @Test
    void equalWorldsGiveEqualForecastsWhateverTheOrderOfLists() {
        var jobs = new ArrayList<Job>();
        for (int i = 1; i < 12; i++) {
            jobs.add(job(20 + i).gpus(1 + i % 8).submitted(Duration.ofMinutes(i * 7L)));
        }
        var straight = oneNode(jobs.toArray(Job[]::new)).snapshot();
        Collections.reverse(jobs);
        var reversed = oneNode(jobs.toArray(Job[]::new)).snapshot();
        var made = FORECASTER.forecast(straight, known(LEARNED), 7, () -> true);
        assertThat(made).hasSize(11);
        assertThat(FORECASTER.forecast(straight, known(LEARNED), 7, () -> true)).isEqualTo(made);
        assertThat(FORECASTER.forecast(reversed, known(LEARNED), 7, () -> true)).isEqualTo(made);
    }

    @Test
    void nothingIsSaidWhenTimeIsUpTooSoon() {
        var snapshot = oneNode(job(1).gpus(8)).snapshot();
        assertThat(FORECASTER.forecast(snapshot, known(LEARNED), 7, () -> false))
                .isEmpty();
    }

    @Test
    void onlyTheFirstInOrderAreForecast() {
        var few = new Forecaster(new Forecaster.Bounds(2, 3, 5, 5, 100, Duration.ofDays(1)));
        var snapshot = oneNode(
                        job(1).gpus(8).submitted(HOUR.multipliedBy(4)),
                        job(2).gpus(8).submitted(HOUR.multipliedBy(3)),
                        job(3).gpus(8).submitted(HOUR.multipliedBy(2)),
                        job(4).gpus(8).submitted(HOUR))
                .snapshot();
        assertThat(few.forecast(snapshot, known(LEARNED), 7, () -> true))
                .extracting(f -> f.job().value())
                .containsExactly(1L, 2L);
    }
}
