package io.muster.scheduling.plan;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MomentsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Cluster node() {
        return cluster().rack("r1", nodes("n", 1)).team("a");
    }

    private static @Nullable Instant next(Cluster cluster) {
        var s = cluster.snapshot();
        return Moments.next(s.asOf(), s.settings(), s.waiting(), s.running(), s.reservations());
    }

    @Test
    void timeAloneChangesNothingForAJobThatJustWaits() {
        assertThat(next(node().jobs(job(1)))).isNull();
        assertThat(next(node().jobs(job(1).on("n1").starting()))).isNull();
    }

    @Test
    void aJobMayBeTakenOnceItHasHadItsLeastRunTime() {
        var least = cluster().snapshot().settings().minRuntime();
        assertThat(next(node().jobs(job(1).on("n1").started(MINUTE)))).isEqualTo(NOW.plus(least.minus(MINUTE)));
        assertThat(next(node().jobs(job(1).on("n1").started(least)))).isNull();
    }

    @Test
    void aKeptStartComes() {
        assertThat(next(node().jobs(job(1)).reserve(ReservationView.Kind.HEAD, 1, MINUTE, 1, "n1")))
                .isEqualTo(NOW.plus(MINUTE));
    }

    @Test
    void aReservationEnds() {
        var kept = node().jobs(job(1))
                .reserve(ReservationView.Kind.HEAD, 1, null, 1, "n1")
                .snapshot()
                .reservations()
                .getFirst();
        var ends = new ReservationView(
                kept.id(), kept.job(), kept.pool(), kept.kind(), kept.placements(), null, NOW.plus(MINUTE));
        assertThat(next(node().jobs(job(1)).reservation(ends))).isEqualTo(NOW.plus(MINUTE));
    }

    @Test
    void aWaitAfterAFailureIsOver() {
        assertThat(next(node().jobs(job(1).backoff(MINUTE)))).isEqualTo(NOW.plus(MINUTE));
    }

    @Test
    void aPreferredLevelIsGivenUp() {
        var job = job(1).submitted(MINUTE).prefer("rack", Duration.ofMinutes(3));
        assertThat(next(node().jobs(job))).isEqualTo(NOW.plus(Duration.ofMinutes(2)));
    }

    @Test
    void theFirstOfSeveralCounts() {
        assertThat(next(node().jobs(
                                job(1).backoff(Duration.ofMinutes(5)),
                                job(2).backoff(MINUTE),
                                job(3).backoff(MINUTE.plus(MINUTE)))))
                .isEqualTo(NOW.plus(MINUTE));
    }
}
