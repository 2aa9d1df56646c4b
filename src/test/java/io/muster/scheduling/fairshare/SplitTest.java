package io.muster.scheduling.fairshare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitTest {

    @Test
    void splitsByWeightAndGivesWhatIsLeftToTheLargestRemainders() {
        assertThat(Split.water(10, new long[] {1, 1, 1}, new int[] {10, 10, 10}))
                .containsExactly(4, 3, 3);
        assertThat(Split.water(10, new long[] {3, 1}, new int[] {10, 10})).containsExactly(8, 2);
        assertThat(Split.water(3, new long[] {3, 1}, new int[] {10, 10})).containsExactly(2, 1);
        assertThat(Split.water(64, new long[] {1, 1, 1}, new int[] {64, 64, 64}))
                .containsExactly(22, 21, 21);
    }

    @Test
    void whoNeedsLessLeavesTheRestToTheOthers() {
        assertThat(Split.water(12, new long[] {1, 1, 1}, new int[] {2, 10, 10})).containsExactly(2, 5, 5);
        assertThat(Split.water(12, new long[] {1, 1}, new int[] {2, 3})).containsExactly(2, 3);
    }

    @Test
    void withoutWeightThereIsNoPart() {
        assertThat(Split.water(5, new long[] {0, 2}, new int[] {5, 5})).containsExactly(0, 5);
    }

    @Test
    void scalesPromisesDownInProportion() {
        assertThat(Split.scale(30, new int[] {40, 20})).containsExactly(20, 10);
        assertThat(Split.scale(100, new int[] {40, 20})).containsExactly(40, 20);
        assertThat(Split.scale(0, new int[] {40, 20})).containsExactly(0, 0);
    }

    @Test
    void sumsAreExactAndNobodyGetsMoreThanItsRoom() {
        var random = new Random(1);
        for (int round = 0; round < 5_000; round++) {
            int n = 1 + random.nextInt(12);
            int amount = random.nextInt(2_000);
            long[] weights = random.longs(n, 0, 1L << 30).toArray();
            int[] room = random.ints(n, 0, 500).toArray();
            int[] part = Split.water(amount, weights, room);
            long wanted = IntStream.range(0, n)
                    .filter(i -> weights[i] > 0)
                    .mapToLong(i -> room[i])
                    .sum();
            assertThat(IntStream.of(part).sum()).isEqualTo((int) Math.min(amount, wanted));
            for (int i = 0; i < n; i++) {
                assertThat(part[i]).isBetween(0, room[i]);
            }
        }
    }

    @Test
    void moreNeverMakesAnybodysPartSmallerByMoreThanRounding() {
        var random = new Random(2);
        for (int round = 0; round < 2_000; round++) {
            int n = 1 + random.nextInt(8);
            long[] weights = random.longs(n, 1, 1L << 20).toArray();
            int[] room = random.ints(n, 0, 100).toArray();
            int amount = random.nextInt(300);
            int[] less = Split.water(amount, weights, room);
            int[] more = Split.water(amount + 1 + random.nextInt(50), weights, room);
            for (int i = 0; i < n; i++) {
                assertThat(more[i]).isGreaterThanOrEqualTo(less[i] - 1);
            }
        }
    }
}
