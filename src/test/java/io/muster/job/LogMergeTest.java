package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class LogMergeTest {
    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final Predicate<String> ALL = text -> true;

    @Test
    void linesOfAllStandInTimeAndTiesInRank() {
        var merge = new LogMerge(10, 1_000, ALL);
        merge.add(head("b-0", 1, null, 1, 3, 5), 0);
        merge.add(head("a-0", 0, null, 2, 3, 4), 0);

        var merged = merge.merged();

        assertThat(texts(merged)).containsExactly("b-0@1", "a-0@2", "a-0@3", "b-0@3", "a-0@4", "b-0@5");
        assertThat(merged.more()).isFalse();
        assertThat(merged.positions()).containsEntry("a-0", 3L).containsEntry("b-0", 3L);
    }

    @Test
    void whatIsCutOffIsReadNext() {
        var first = new LogMerge(2, 1_000, ALL);
        first.add(head("a-0", 0, null, 1, 4), 0);
        first.add(head("b-0", 1, null, 2, 3), 0);
        var piece = first.merged();
        assertThat(texts(piece)).containsExactly("a-0@1", "b-0@2");
        assertThat(piece.more()).isTrue();

        var next = new LogMerge(2, 1_000, ALL);
        next.add(head("a-0", 0, null, 1, 4), piece.positions().get("a-0"));
        next.add(head("b-0", 1, null, 2, 3), piece.positions().get("b-0"));

        assertThat(texts(next.merged())).containsExactly("b-0@3", "a-0@4");
        assertThat(next.merged().more()).isFalse();
    }

    @Test
    void longLinesAreCutOffByTheirLength() {
        var merge = new LogMerge(10, 10, ALL);
        merge.add(head("a-0", 0, null, 1, 4), 0);
        merge.add(head("b-0", 1, null, 2, 3), 0);

        assertThat(texts(merge.merged())).as("the second reaches ten").containsExactly("a-0@1", "b-0@2");
        assertThat(merge.merged().positions()).containsEntry("a-0", 1L).containsEntry("b-0", 1L);
        assertThat(merge.merged().more()).isTrue();
    }

    @Test
    void nothingIsAnsweredThatAChunkNotYetReadMayComeBefore() {
        var merge = new LogMerge(10, 1_000, ALL);
        merge.add(head("a-0", 0, 3, 1, 2), 0);
        merge.add(head("b-0", 1, null, 2, 4), 0);

        assertThat(texts(merge.merged())).containsExactly("a-0@1", "a-0@2", "b-0@2");
        assertThat(merge.merged().positions()).containsEntry("b-0", 1L);
        assertThat(merge.merged().more()).isTrue();
    }

    @Test
    void aClockThatWentBackNeitherStopsAReplicaNorReordersIt() {
        var merge = new LogMerge(10, 1_000, ALL);
        merge.add(head("a-0", 0, 2, 5, 1, 6), 0);

        assertThat(texts(merge.merged())).containsExactly("a-0@5", "a-0@1", "a-0@6");
        assertThat(merge.merged().positions()).containsEntry("a-0", 3L);
    }

    @Test
    void whatDoesNotMatchIsReadAllTheSame() {
        var merge = new LogMerge(10, 1_000, text -> text.endsWith("@4"));
        merge.add(head("a-0", 0, null, 1, 2, 4, 8), 0);

        assertThat(texts(merge.merged())).containsExactly("a-0@4");
        assertThat(merge.merged().positions()).containsEntry("a-0", 4L);
        assertThat(merge.merged().more()).isFalse();
    }

    private static LogMerge.Head head(String replica, int rank, Integer nextAt, int... seconds) {
        var lines = new ArrayList<LogChunk.Line>();
        for (int second : seconds) {
            lines.add(new LogChunk.Line(T0.plusSeconds(second), replica + "@" + second));
        }
        return new LogMerge.Head(replica, rank, 0, lines, nextAt == null ? null : T0.plusSeconds(nextAt));
    }

    private static List<String> texts(LogMerge.Merged merged) {
        return merged.lines().stream().map(e -> e.line().text()).toList();
    }
}
