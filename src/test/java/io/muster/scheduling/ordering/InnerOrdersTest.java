package io.muster.scheduling.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InnerOrdersTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant NOW = START.plus(Duration.ofHours(10));
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AttainedService attained = new AttainedService(new RunTimeHistory());
    private final FairFinish fair = new FairFinish();

    @Test
    void whoHadLittlePassesWhoHadMuch() {
        var old = job(1, 0, 1, Duration.ofHours(9));
        var young = job(2, 9, 1, Duration.ZERO);
        assertThat(Stream.of(old, young).sorted(attained.order())).containsExactly(young, old);
        assertThat(attained.outweighs(young, old, MINUTE)).isTrue();
        assertThat(attained.outweighs(old, young, MINUTE)).isFalse();
    }

    @Test
    void insideABandWhoCameFirstStays() {
        var first = job(1, 0, 1, Duration.ofSeconds(10));
        var second = job(2, 1, 1, Duration.ofSeconds(5));
        assertThat(Stream.of(second, first).sorted(attained.order())).containsExactly(first, second);
        assertThat(attained.outweighs(second, first, MINUTE)).isFalse();
    }

    @Test
    void serviceCountsEveryGpu() {
        var wide = job(1, 0, 64, Duration.ofMinutes(10));
        var narrow = job(2, 1, 1, Duration.ofMinutes(10));
        assertThat(attained.band(narrow)).isLessThan(attained.band(wide));
    }

    @Test
    void aRestartDearerThanTheGainIsNotWorthIt() {
        var much = job(1, 0, 1, Duration.ofHours(1));
        var none = job(2, 1, 1, Duration.ZERO);
        assertThat(attained.outweighs(none, much, MINUTE)).isTrue();
        assertThat(attained.outweighs(none, much, Duration.ofDays(1))).isFalse();
    }

    @Test
    void whenABandIsLeftIsKnown() {
        var running = job(1, 0, 8, Duration.ofMinutes(5));
        var until = attained.untilLater(running);
        assertThat(until).isNotNull();
        var then = job(1, 0, 8, running.ran().plus(until));
        var justBefore = job(1, 0, 8, running.ran().plus(until).minusSeconds(1));
        assertThat(attained.band(then)).isGreaterThan(attained.band(running));
        assertThat(attained.band(justBefore)).isEqualTo(attained.band(running));
    }

    @Test
    void theSmallestShareOfLifeGoesFirst() {
        var starved = job(1, 0, 1, Duration.ofHours(1));
        var served = job(2, 5, 1, Duration.ofHours(4));
        assertThat(Stream.of(served, starved).sorted(fair.order(NOW))).containsExactly(starved, served);
        assertThat(fair.outweighs(starved, served, NOW, MINUTE)).isTrue();
        assertThat(fair.outweighs(starved, served, NOW, Duration.ofHours(1))).isFalse();
    }

    @Test
    void sharesThatAreAlmostEqualChangeNothing() {
        var one = job(1, 0, 1, Duration.ofMinutes(300));
        var other = job(2, 0, 1, Duration.ofMinutes(303));
        assertThat(fair.outweighs(one, other, NOW, Duration.ZERO)).isFalse();
    }

    @Test
    void aCrowdExcusesASmallShare() {
        var inACrowd = crowded(job(1, 0, 1, Duration.ofHours(2)), 4);
        var alone = job(2, 0, 1, Duration.ofHours(4));
        assertThat(fair.rank(alone, NOW)).isLessThan(fair.rank(inACrowd, NOW));
    }

    @Test
    void withWalltimesAnUnfairFinishIsRepairedFirstThenTheLongestGoes() {
        var late = timed(1, 0, Duration.ofHours(1), Duration.ofHours(5)); // ends after 14 h, alone 5
        var longer = timed(2, 9, Duration.ofHours(1), Duration.ofHours(20));
        var shorter = timed(3, 9, Duration.ofMinutes(55), Duration.ofHours(3));
        assertThat(Stream.of(shorter, longer, late).sorted(fair.order(NOW))).containsExactly(late, longer, shorter);
    }

    @Test
    void aTurnIsLongEnoughForItsRestart() {
        assertThat(FairFinish.turn(Duration.ZERO)).isEqualTo(Duration.ofMinutes(5));
        assertThat(FairFinish.turn(MINUTE)).isEqualTo(Duration.ofMinutes(10));
    }

    private static Served job(long id, int hour, int gpus, Duration ran) {
        return served(id, hour, gpus, ran, null, 1);
    }

    private static Served timed(long id, int hour, Duration ran, Duration walltime) {
        return served(id, hour, 1, ran, walltime, 1);
    }

    private static Served crowded(Served job, double contention) {
        return new Served(job.id(), job.submittedAt(), job.gpus(), job.ran(), job.walltime(), contention, job.kinds());
    }

    private static Served served(
            long id, int hour, int gpus, Duration ran, @Nullable Duration walltime, double contention) {
        return new Served(
                new JobId(id), START.plus(Duration.ofHours(hour)), gpus, ran, walltime, contention, List.of(""));
    }
}
