package io.muster.scheduling.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
}
