package io.muster.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.lifecycle.Life.After;
import io.muster.lifecycle.Transition.Ignored;
import io.muster.lifecycle.Transition.Moved;
import io.muster.lifecycle.Transition.Refused;
import io.muster.model.JobState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pair of a life and an event, in one table: a column per life, a line per event. */
class LifecycleTest {

    /** {@code -} ignored, {@code x} refused, else where it moves; {@code ck:} CHECKPOINTING, {@code st:} STOPPING. */
    private static final String TABLE = """
            event            QUEUED     HELD    STARTING      RUNNING       ck:RUNNING    ck:QUEUED     ck:HELD       st:QUEUED     st:FAILED     st:HELD       st:CANCELLED SUCCEEDED FAILED CANCELLED
            Start            STARTING   x       x             x             x             x             x             x             x             x             x            x         x      x
            GangRunning      -          -       RUNNING       -             -             -             -             -             -             -             -            -         -      -
            Ckpt:RUNNING     x          x       x             ck:RUNNING    -             -             -             -             -             -             -            x         x      x
            Ckpt:QUEUED      x          x       st:QUEUED     ck:QUEUED     ck:QUEUED     -             -             -             -             -             -            x         x      x
            Ckpt:HELD        x          x       st:HELD       ck:HELD       ck:HELD       ck:HELD       -             st:HELD       st:HELD       -             -            x         x      x
            Saved            -          -       -             -             RUNNING       st:QUEUED     st:HELD       -             -             -             -            -         -      -
            Deadline         -          -       -             -             RUNNING       st:QUEUED     st:HELD       -             -             -             -            -         -      -
            Stop:QUEUED      x          x       st:QUEUED     st:QUEUED     st:QUEUED     st:QUEUED     st:HELD       -             -             -             -            x         x      x
            Stop:FAILED      x          x       st:FAILED     st:FAILED     st:FAILED     st:FAILED     st:HELD       st:FAILED     -             -             -            x         x      x
            Broken:QUEUED    -          -       st:QUEUED     st:QUEUED     st:QUEUED     st:QUEUED     st:HELD       -             -             -             -            -         -      -
            Broken:FAILED    -          -       st:FAILED     st:FAILED     st:FAILED     st:QUEUED     st:HELD       -             -             -             -            -         -      -
            Succeeded        -          -       SUCCEEDED     SUCCEEDED     SUCCEEDED     st:QUEUED     st:HELD       -             -             -             -            -         -      -
            Finished         -          -       st:SUCCEEDED  st:SUCCEEDED  st:SUCCEEDED  st:SUCCEEDED  st:SUCCEEDED  st:SUCCEEDED  -             -             -            -         -      -
            Gone             -          -       QUEUED        QUEUED        QUEUED        QUEUED        HELD          QUEUED        FAILED        HELD          CANCELLED    -         -      -
            Hold             HELD       -       x             x             x             x             x             st:HELD       x             x             x            x         x      x
            Release          -          QUEUED  -             -             -             -             ck:QUEUED     -             -             st:QUEUED     -            x         x      x
            Cancel           CANCELLED  CANCELLED st:CANCELLED st:CANCELLED st:CANCELLED  st:CANCELLED  st:CANCELLED  st:CANCELLED  st:CANCELLED  st:CANCELLED  -            x         x      -
            """;

    private static final Map<String, LifecycleEvent> EVENTS = new LinkedHashMap<>();

    static {
        EVENTS.put("Start", new LifecycleEvent.Start());
        EVENTS.put("GangRunning", new LifecycleEvent.GangRunning());
        EVENTS.put("Ckpt:RUNNING", new LifecycleEvent.RequestCheckpoint(After.RUNNING));
        EVENTS.put("Ckpt:QUEUED", new LifecycleEvent.RequestCheckpoint(After.QUEUED));
        EVENTS.put("Ckpt:HELD", new LifecycleEvent.RequestCheckpoint(After.HELD));
        EVENTS.put("Saved", new LifecycleEvent.CheckpointSaved());
        EVENTS.put("Deadline", new LifecycleEvent.CheckpointDeadlinePassed());
        EVENTS.put("Stop:QUEUED", new LifecycleEvent.Stop(After.QUEUED));
        EVENTS.put("Stop:FAILED", new LifecycleEvent.Stop(After.FAILED));
        EVENTS.put("Broken:QUEUED", new LifecycleEvent.GangBroken(After.QUEUED));
        EVENTS.put("Broken:FAILED", new LifecycleEvent.GangBroken(After.FAILED));
        EVENTS.put("Succeeded", new LifecycleEvent.GangSucceeded());
        EVENTS.put("Finished", new LifecycleEvent.ProgramFinished());
        EVENTS.put("Gone", new LifecycleEvent.PodsGone());
        EVENTS.put("Hold", new LifecycleEvent.Hold());
        EVENTS.put("Release", new LifecycleEvent.Release());
        EVENTS.put("Cancel", new LifecycleEvent.Cancel());
    }

    record Line(String event, String life, String expected) {}

    static Stream<Line> table() {
        var rows = TABLE.lines().map(l -> List.of(l.split("\\s+"))).toList();
        var lines = new ArrayList<Line>();
        for (var row : rows.subList(1, rows.size())) {
            for (int c = 1; c < row.size(); c++) {
                lines.add(new Line(row.getFirst(), rows.getFirst().get(c), row.get(c)));
            }
        }
        return lines.stream();
    }

    private static Life life(String word) {
        if (word.startsWith("ck:")) {
            return Life.checkpointing(After.valueOf(word.substring(3)));
        }
        return word.startsWith("st:")
                ? Life.stopping(After.valueOf(word.substring(3)))
                : Life.of(JobState.valueOf(word));
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyPairDoesWhatTheTableSays(Line line) {
        var life = life(line.life);
        var event = EVENTS.get(line.event);
        var expected = switch (line.expected) {
            case "-" -> new Ignored();
            case "x" -> new Refused(life, event);
            default -> new Moved(life(line.expected));
        };
        assertThat(Lifecycle.next(life, event)).isEqualTo(expected);
    }

    @Test
    void theTableHasEveryKindOfEvent() {
        var kinds = EVENTS.values().stream().map(Object::getClass).distinct().toList();
        assertThat(LifecycleEvent.class.getPermittedSubclasses()).hasSameElementsAs(kinds);
        assertThat(table().map(Line::event).distinct()).containsExactlyElementsOf(EVENTS.keySet());
    }

    @Test
    void terminalStatesNeverMove() {
        for (var state : JobState.values()) {
            if (state.isTerminal()) {
                EVENTS.values()
                        .forEach(e ->
                                assertThat(Lifecycle.next(Life.of(state), e)).isNotInstanceOf(Moved.class));
            }
        }
    }

    @Test
    void onlySavingAndStoppingSayWhatComesAfter() {
        assertThatThrownBy(() -> new Life(JobState.RUNNING, After.QUEUED)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Life(JobState.STOPPING, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Life.stopping(After.RUNNING)).isInstanceOf(IllegalArgumentException.class);
    }
}
