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

    @Test
    void withinABandNobodyYieldsHoweverCheapItWere() {
        var much = job(1, 0, 1, Duration.ofSeconds(119));
        var less = job(2, 1, 1, Duration.ofSeconds(100));
        assertThat(attained.band(much)).isEqualTo(attained.band(less));
        assertThat(attained.outweighs(less, much, Duration.ZERO)).isFalse();
    }

    @Test
    void aRestartIsWeighedOnEveryGpuAgainstWhatIsSaved() {
        var history = new RunTimeHistory();
        var victim = job(1, 0, 8, Duration.ofHours(1));
        var claimant = job(2, 1, 8, Duration.ofMinutes(30));
        double perGpu = history.cost(List.of(""), victim.ran()) - history.cost(List.of(""), claimant.ran());
        assertThat(attained.outweighs(claimant, victim, Duration.ofSeconds((long) perGpu - 1)))
                .isTrue();
        assertThat(attained.outweighs(claimant, victim, Duration.ofSeconds((long) perGpu + 1)))
                .isFalse();
    }

    @Test
    void theGainBetweenBandsIsTheDifferenceOfTheirCosts() {
        assertThat(AttainedService.gain(0, 3)).isEqualTo(7);
        assertThat(AttainedService.gain(3, 3)).isZero();
        assertThat(AttainedService.gain(3, 0)).isNegative();
        assertThat(AttainedService.band(0.5)).isZero();
        assertThat(AttainedService.band(7.9)).isEqualTo(2);
        assertThat(AttainedService.band(8)).isEqualTo(3);
    }

    @Test
    void whenABandIsLeftIsKnownAtEveryAge() {
        for (int minutes = 2; minutes < 3_000; minutes += minutes / 2) {
            var running = job(1, 0, 8, Duration.ofMinutes(minutes));
            var until = attained.untilLater(running);
            assertThat(until).isNotNull();
            var then = running.ran().plus(until);
            assertThat(attained.band(job(1, 0, 8, then))).isGreaterThan(attained.band(running));
            assertThat(attained.band(job(1, 0, 8, then.minusMillis(2)))).isEqualTo(attained.band(running));
        }
    }

    @Test
    void aYoungJobGoesBeforeAnOldOneThatHadALargerShare() {
        var served = job(1, 0, 1, Duration.ofHours(9));
        var starved = job(2, 5, 1, Duration.ofHours(1));
        assertThat(Stream.of(served, starved).sorted(fair.order(NOW))).containsExactly(starved, served);
    }

    @Test
    void ofThoseWhoseFinishIsFairTheMostWorkGoesFirst() {
        var wide = served(1, 9, 4, Duration.ofHours(1), Duration.ofHours(5), 1);
        assertThat(fair.rank(wide, NOW)).isEqualTo(-4 * 3600 * 4);
    }

    @Test
    void aFinishATenthAndATenthTooLateIsRepairedTheWorstFirst() {
        var late = timed(1, 7, Duration.ofHours(1), Duration.ofHours(10)); // ends after 12 h, alone 10
        var later = timed(2, 0, Duration.ofHours(1), Duration.ofHours(10)); // after 19
        var fine = timed(3, 8, Duration.ofHours(1), Duration.ofHours(10)); // after 11
        assertThat(fair.rank(late, NOW)).isEqualTo(-1.2e12);
        assertThat(fair.rank(later, NOW)).isLessThan(fair.rank(late, NOW));
        assertThat(fair.rank(fine, NOW)).isEqualTo(-9 * 3600);
    }

    @Test
    void aCrowdExcusesALateFinish() {
        var late = timed(1, 0, Duration.ofHours(1), Duration.ofHours(5));
        assertThat(fair.rank(late, NOW)).isLessThan(-1e11);
        assertThat(fair.rank(crowded(late, 4), NOW)).isEqualTo(-4 * 3600);
    }

    @Test
    void aShareIsWorthARestartOnceSoMuchRunningIsMissing() {
        var age = Duration.ofMinutes(100); // a quarter of it is 1,500 s: 12.5 restarts of 120 s
        assertThat(FairFinish.outweighs(0.25, 0.5, age, Duration.ofSeconds(120)))
                .isTrue();
        assertThat(FairFinish.outweighs(0.25, 0.5, age, Duration.ofSeconds(121)))
                .isFalse();
        assertThat(FairFinish.outweighs(0.25, 0.27, age, Duration.ZERO)).isFalse();
        assertThat(FairFinish.outweighs(0.25, 0.28, age, Duration.ZERO)).isTrue();
    }

    @Test
    void whoSaysItsWalltimeTakesFromWhoeverComesLater() {
        var late = timed(1, 0, Duration.ofHours(1), Duration.ofHours(5));
        var fine = timed(2, 9, Duration.ofHours(1), Duration.ofHours(20));
        assertThat(fair.outweighs(late, fine, NOW, Duration.ofDays(1))).isTrue();
        assertThat(fair.outweighs(fine, late, NOW, Duration.ZERO)).isFalse();
        assertThat(fair.outweighs(fine, fine, NOW, Duration.ZERO)).isFalse();
    }

    @Test
    void inACrowdTheMissingRunningMustBeMoreThanTheCrowdsDoing() {
        var claimant = crowded(job(1, 0, 1, Duration.ZERO), 4);
        var victim = job(2, 0, 1, Duration.ofHours(5));
        // Half of a quarter of ten hours, 4,500 s, is 12.5 restarts of 360 s.
        assertThat(fair.outweighs(claimant, victim, NOW, Duration.ofSeconds(360)))
                .isTrue();
        assertThat(fair.outweighs(claimant, victim, NOW, Duration.ofSeconds(361)))
                .isFalse();
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
