package io.muster.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Job;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedRunTimesTest {
    private static final JobFacts JOB = Job.job(1).gpus(4).facts(List.of("gpu"));
    private static final List<String> KINDS = LearnedRunTimes.kinds(JOB);
    private static final Duration ASSUMED = Duration.ofHours(24);

    private static RunTimeHistory history(int count, Duration ran) {
        var history = new RunTimeHistory();
        for (int i = 0; i < count; i++) {
            history.ended(KINDS, ran);
        }
        return history;
    }

    @Test
    void withoutHistoryAnyTimeUpToTheWalltimeIsAsLikely() {
        var known = new LearnedRunTimes(new RunTimeHistory(), ASSUMED);
        assertThat(known.remaining(JOB, Duration.ZERO, Duration.ofHours(10), 0.5))
                .isEqualTo(Duration.ofHours(5));
        assertThat(known.remaining(JOB, Duration.ZERO, null, 0.25)).isEqualTo(Duration.ofHours(6));
        assertThat(known.remaining(JOB, Duration.ofHours(20), null, 0.5)).isEqualTo(Duration.ofHours(2));
        assertThat(known.remaining(JOB, Duration.ofHours(30), null, 0.5)).isEqualTo(Duration.ofHours(15));
    }

    @Test
    void jobsOfAKindRunAsLongAsTheirLike() {
        var known = new LearnedRunTimes(history(1_000, Duration.ofHours(2)), ASSUMED);
        assertThat(known.remaining(JOB, Duration.ZERO, null, 0.5))
                .isBetween(Duration.ofMinutes(80), Duration.ofMinutes(170));
        assertThat(known.remaining(JOB, Duration.ofHours(1), null, 0.5))
                .isBetween(Duration.ofMinutes(20), Duration.ofMinutes(110));
    }

    @Test
    void nothingRunsBeyondItsWalltime() {
        var known = new LearnedRunTimes(history(100, Duration.ofHours(2)), ASSUMED);
        assertThat(known.remaining(JOB, Duration.ZERO, Duration.ofMinutes(30), 0.9))
                .isEqualTo(Duration.ofMinutes(30));
    }

    @Test
    void laterQuantilesAreLater() {
        var known = new LearnedRunTimes(history(20, Duration.ofHours(2)), ASSUMED);
        var last = Duration.ZERO;
        for (int i = 1; i < 100; i++) {
            var here = known.remaining(JOB, Duration.ofMinutes(10), null, i / 100.0);
            assertThat(here).isGreaterThanOrEqualTo(last);
            last = here;
        }
    }

    /** A history of those that ended only would know nothing of what is long. */
    @Test
    void thoseThatStillRunMakeJobsLonger() {
        var ended = history(30, Duration.ofMinutes(5));
        var both = history(30, Duration.ofMinutes(5));
        for (int i = 0; i < 30; i++) {
            both.stillRuns(KINDS, Duration.ofHours(10));
        }
        assertThat(new LearnedRunTimes(both, ASSUMED).remaining(JOB, Duration.ZERO, null, 0.7))
                .isGreaterThan(new LearnedRunTimes(ended, ASSUMED).remaining(JOB, Duration.ZERO, null, 0.7));
    }
}
