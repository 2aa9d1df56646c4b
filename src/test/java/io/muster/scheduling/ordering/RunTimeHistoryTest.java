package io.muster.scheduling.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.muster.scheduling.build.Ids;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTimeHistoryTest {
    private static final List<String> ANY = List.of("");
    private static final List<String> SHORT = List.of("", "short");
    private static final List<String> LONG = List.of("", "long");

    private final RunTimeHistory history = new RunTimeHistory();

    @Test
    void withoutHistoryWhoHadMoreCostsMore() {
        double before = 0;
        for (int seconds : new int[] {0, 100, 1_000, 10_000, 100_000, 1_000_000}) {
            double cost = history.cost(ANY, Duration.ofSeconds(seconds));
            assertThat(cost).isGreaterThan(before);
            before = cost;
        }
    }

    @Test
    void kindsAreToldApart() {
        for (int i = 0; i < 50; i++) {
            history.ended(SHORT, Duration.ofMinutes(2));
            history.ended(LONG, Duration.ofHours(20));
        }
        assertThat(history.cost(SHORT, Duration.ZERO)).isCloseTo(110, within(60.0));
        assertThat(history.cost(LONG, Duration.ZERO)).isGreaterThan(5 * history.cost(SHORT, Duration.ZERO));
    }

    @Test
    void aJobOfALongKindIsCheapOnceItsEndIsNear() {
        for (int i = 0; i < 50; i++) history.ended(LONG, Duration.ofHours(20));
        assertThat(history.cost(LONG, Duration.ofHours(19))).isLessThan(history.cost(LONG, Duration.ofHours(1)));
    }

    @Test
    void aRareKindLeansOnWhatIsCommon() {
        for (int i = 0; i < 200; i++) history.ended(SHORT, Duration.ofMinutes(2));
        var unseen = List.of("", "never seen");
        assertThat(history.cost(unseen, Duration.ZERO)).isEqualTo(history.cost(ANY, Duration.ZERO));
        history.ended(unseen, Duration.ofDays(3));
        double once = history.cost(unseen, Duration.ZERO);
        assertThat(once).isGreaterThan(history.cost(SHORT, Duration.ZERO)).isLessThan(2_000);
    }

    @Test
    void costChangesExactlyWhenItSays() {
        var ran = Duration.ofSeconds(61);
        for (int i = 0; i < 20; i++) {
            var until = RunTimeHistory.untilChange(ran);
            assertThat(history.cost(ANY, ran.plus(until).minusMillis(2))).isEqualTo(history.cost(ANY, ran));
            assertThat(history.cost(ANY, ran.plus(until))).isNotEqualTo(history.cost(ANY, ran));
            ran = ran.plus(until);
        }
    }

    @Test
    void aKindIsAPathFromAllJobsToTheUsersOwn() {
        var mine = RunTimeHistory.kinds(8, Ids.team("a"), Ids.user("u"));
        var theirs = RunTimeHistory.kinds(8, Ids.team("a"), Ids.user("v"));
        assertThat(mine).hasSize(4).doesNotHaveDuplicates().startsWith("", "8 GPUs");
        assertThat(theirs).startsWith(mine.get(0), mine.get(1), mine.get(2)).doesNotContain(mine.getLast());
    }

    @Test
    void endsAreCounted() {
        assertThat(history.size()).isZero();
        history.ended(SHORT, Duration.ofMinutes(2));
        history.ended(LONG, Duration.ofHours(20));
        assertThat(history.size()).isEqualTo(2);
    }

    @Test
    void tenEndsCountAsMuchAsWhatWasAssumed() {
        // Half were assumed to end in the first minute; ten of ten did: three quarters, each in the middle of it.
        for (int i = 0; i < 10; i++) history.ended(ANY, Duration.ofSeconds(30));
        assertThat(history.cost(ANY, Duration.ZERO)).isCloseTo((1 - 0.75 / 2) * 60 / 0.75, within(1e-9));
    }

    @Test
    void costsAreComputedAnewWhenATwentiethHasBeenAdded() {
        for (int i = 0; i < 100; i++) history.ended(ANY, Duration.ofMinutes(2));
        double before = history.cost(ANY, Duration.ZERO);
        for (int i = 0; i < 5; i++) history.ended(ANY, Duration.ofDays(2));
        assertThat(history.cost(ANY, Duration.ZERO)).isEqualTo(before);
        history.ended(ANY, Duration.ofDays(2));
        assertThat(history.cost(ANY, Duration.ZERO)).isGreaterThan(before);
    }

    @Test
    void whoStillRunsIsKnownToBeLonger() {
        double before = history.cost(ANY, Duration.ZERO);
        var fresh = new RunTimeHistory();
        for (int i = 0; i < 50; i++) fresh.stillRuns(ANY, Duration.ofSeconds(59));
        assertThat(fresh.cost(ANY, Duration.ZERO)).isEqualTo(before);
        var old = new RunTimeHistory();
        for (int i = 0; i < 50; i++) old.stillRuns(ANY, Duration.ofHours(5));
        assertThat(old.cost(ANY, Duration.ZERO)).isGreaterThan(2 * before);
        assertThat(old.size()).isZero();
    }

    @Test
    void anAgeAtTheEdgeOfAClassIsOfTheNext() {
        assertThat(history.cost(ANY, Duration.ofSeconds(60)))
                .isEqualTo(history.cost(ANY, Duration.ofSeconds(61)))
                .isNotEqualTo(history.cost(ANY, Duration.ofSeconds(59)));
    }

    /** Half end in the first minute; of the others, so many in the time until they are {@code sqrt(2)} times as old. */
    private static final double SECOND = 1 - Math.pow(2, -0.6);

    private static final double SECOND_LENGTH = 60 * (Math.sqrt(2) - 1);

    private double remains(int age, double quantile) {
        return history.remaining(ANY, Duration.ofSeconds(age), quantile).toMillis() / 1000.0;
    }

    @Test
    void endsAreSpreadEvenlyOverAClassOfAges() {
        assertThat(remains(0, 0.25)).isEqualTo(30);
        assertThat(remains(0, 0.5)).isEqualTo(60);
        assertThat(remains(0, 0.5 + 0.5 * SECOND / 2)).isCloseTo(60 + SECOND_LENGTH / 2, within(0.002));
    }

    @Test
    void ofAJobThatRunsOnlyWhatIsAheadCounts() {
        // Of four such jobs one ended before it was 30 s old, one ends in the next 30 s, two later.
        assertThat(remains(30, 1 / 6.0)).isEqualTo(15);
        assertThat(remains(30, 1 / 3.0)).isCloseTo(30, within(0.002));
        assertThat(remains(30, 1 / 3.0 + 2 / 3.0 * SECOND / 2)).isCloseTo(30 + SECOND_LENGTH / 2, within(0.002));
        double age = 60 + SECOND_LENGTH / 2;
        double ends = SECOND / 2 / (1 - SECOND / 2);
        assertThat(history.remaining(ANY, Duration.ofMillis(Math.round(age * 1000)), ends / 2)
                        .toMillis())
                .isCloseTo(Math.round(SECOND_LENGTH / 4 * 1000), within(2L));
    }

    @Test
    void nobodyIsExpectedToRunBeyondTheLastClass() {
        double most = 60 * Math.pow(2, 39 / 2.0);
        assertThat(remains(0, 1)).isCloseTo(most, within(0.01));
        assertThat(remains(1_000, 1)).isCloseTo(most - 1_000, within(0.01));
    }
}
