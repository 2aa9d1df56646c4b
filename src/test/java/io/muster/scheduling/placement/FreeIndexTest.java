package io.muster.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreeIndexTest {
    private final FreeIndex index = new FreeIndex(3, 8);

    @Test
    void aNodeIsFoundUnderWhatIsFreeOnIt() {
        index.file(0, 0, false);
        index.file(1, 8, true);
        index.file(2, 8, false);
        assertThat(index.next(false, 0, 0)).isZero();
        assertThat(index.next(true, 8, 0)).isEqualTo(1);
        assertThat(index.next(false, 8, 0)).isEqualTo(2);
        assertThat(index.next(true, 8, 2)).isEqualTo(-1);
    }

    @Test
    void aNodeThatIsUsedForTheFirstTimeIsNoLongerWhole() {
        index.file(0, 8, true);
        index.file(0, 8, false);
        assertThat(index.next(true, 8, 0)).isEqualTo(-1);
        assertThat(index.next(false, 8, 0)).isZero();
    }

    @Test
    void aNodeThatTakesNothingIsNotFound() {
        index.file(0, 0, false);
        index.file(0, -1, false);
        assertThat(index.next(false, 0, 0)).isEqualTo(-1);
        index.file(0, 2, false);
        assertThat(index.next(false, 2, 0)).isZero();
    }

    @Test
    void veryLargeNodesShareTheLastBucket() {
        var large = new FreeIndex(2, 1_000);
        large.file(0, 300, false);
        large.file(1, 1_000, false);
        assertThat(large.next(false, large.buckets() - 1, 0)).isZero();
        assertThat(large.next(false, large.buckets() - 1, 1)).isEqualTo(1);
        assertThat(large.buckets()).isLessThan(300);
    }
}
