package io.muster.simulation;

import io.muster.gateway.ClusterFact.LogLines;
import io.muster.model.FailureClass;
import io.muster.model.ReplicaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one replica prints: what it meets at its start, a line per report (rank 0; the others speak up seldom), its
 * checkpoints, its last words. Lines are numbered by what was printed before, which is counted and not kept.
 */
final class TrainingLog {
    private static final int OTHERS_SPEAK_EVERY = 10;
    private static final int MOST_LINES_AT_ONCE = 2_000;

    private final Timeline timeline;
    private final int index;
    private final ReplicaId replica;
    private final List<Line> rare;
    private final @Nullable Recurring reports;
    private final @Nullable Recurring saves;
    private final @Nullable Instant silentAfter;

    private record Line(Instant at, String text) {}

    private TrainingLog(Timeline timeline, int index) {
        this.timeline = timeline;
        this.index = index;
        this.replica = timeline.attempt.pods().get(index).id();
        this.reports = spoken(timeline.reports());
        this.saves = index == 0 ? timeline.saves() : null;
        VirtualPod.Loss loss = timeline.attempt.pods().get(index).loss();
        this.silentAfter = loss == null ? null : loss.at();
        this.rare = rare();
    }

    static TrainingLog of(Timeline timeline, int index) {
        return new TrainingLog(timeline, index);
    }

    static LossCurve curve(Timeline timeline) {
        VirtualAttempt attempt = timeline.attempt;
        return LossCurve.of(
                new Dice(attempt.seed()).salted(attempt.id().job().value()).salted("loss"), timeline.behaviour.steps());
    }

    /** The lines of a window; of more than can be told at once, the newest, so that their numbers leave a gap. */
    List<LogLines> between(Instant from, Instant to) {
        Instant until = silentAfter != null && silentAfter.isBefore(to) ? silentAfter : to;
        if (!until.isAfter(from)) {
            return List.of();
        }
        long before = countUntil(from);
        long count = countUntil(until) - before;
        if (count == 0) {
            return List.of();
        }
        List<Line> lines = lines(from, until);
        long first = before + count - lines.size();
        return List.of(new LogLines(
                replica,
                first,
                lines.stream().map(Line::text).toList(),
                lines.getLast().at()));
    }

    @Nullable Instant nextAfter(Instant after) {
        return Stream.of(
                        reports == null ? null : reports.nextAfter(after),
                        saves == null ? null : saves.nextAfter(after),
                        rare.stream()
                                .map(Line::at)
                                .filter(at -> at.isAfter(after))
                                .findFirst()
                                .orElse(null))
                .filter(Objects::nonNull)
                .filter(at -> silentAfter == null || !at.isAfter(silentAfter))
                .min(Instant::compareTo)
                .orElse(null);
    }

    private long countUntil(Instant at) {
        long count = rare.stream().filter(line -> !line.at().isAfter(at)).count();
        count += reports == null ? 0 : reports.countUntil(at);
        return count + (saves == null ? 0 : saves.countUntil(at));
    }

    private List<Line> lines(Instant from, Instant to) {
        var lines = new ArrayList<Line>();
        rare.stream()
                .filter(line -> line.at().isAfter(from) && !line.at().isAfter(to))
                .forEach(lines::add);
        if (reports != null) {
            long last = reports.countUntil(to);
            for (long k = firstOf(reports, from, last); k <= last; k++) {
                lines.add(new Line(reports.told(k), stepLine(reports.told(k))));
            }
        }
        if (saves != null) {
            long last = saves.countUntil(to);
            for (long k = firstOf(saves, from, last); k <= last; k++) {
                lines.add(new Line(saves.told(k), savedLine(timeline.stepAt(saves.begin(k)))));
            }
        }
        lines.sort(Comparator.comparing(Line::at));
        return lines.size() <= MOST_LINES_AT_ONCE
                ? lines
                : lines.subList(lines.size() - MOST_LINES_AT_ONCE, lines.size());
    }

    private static long firstOf(Recurring recurring, Instant from, long last) {
        return Math.max(recurring.countUntil(from) + 1, last - MOST_LINES_AT_ONCE + 1);
    }

    private @Nullable Recurring spoken(@Nullable Recurring reports) {
        return index == 0 || reports == null
                ? reports
                : new Recurring(
                        reports.origin(),
                        reports.period().multipliedBy(OTHERS_SPEAK_EVERY),
                        reports.delay(),
                        reports.end());
    }

    private List<Line> rare() {
        PodTimes times = timeline.pods.get(index);
        var lines = new ArrayList<Line>();
        if (times.running() != null) {
            greet(lines, times.running());
        }
        if (timeline.trainingAt != null) {
            lines.add(
                    new Line(timeline.trainingAt, prefix() + "all " + gang() + " replicas are here, training begins"));
        }
        if (index == 0) {
            timeline.answers().forEach(answer -> lines.add(new Line(answer.at(), savedLine(answer.step()))));
        }
        if (times.running() != null && times.terminating() != null) {
            lines.add(new Line(times.terminating(), prefix() + "received SIGTERM"));
        }
        if (times.end() != null && times.running() != null) {
            lastWords(lines, times.end());
        }
        lines.sort(Comparator.comparing(Line::at));
        return List.copyOf(lines);
    }

    private void greet(List<Line> lines, Instant at) {
        VirtualPod pod = timeline.attempt.pods().get(index);
        String master = timeline.attempt.pods().getFirst().id().podName();
        lines.add(new Line(at, prefix() + "started on " + pod.node() + " with " + pod.gpus() + " GPUs"));
        if (gang() > 1) {
            lines.add(new Line(
                    at,
                    prefix() + "node rank " + index + " of " + gang() + ", meeting the others at " + master
                            + ":29500"));
        }
        if (timeline.training.from() > 0 && index == 0) {
            lines.add(new Line(at, prefix() + "resuming from step " + timeline.training.from()));
        }
    }

    private void lastWords(List<Line> lines, PodTimes.End end) {
        Instant at = end.at();
        if (end.failure() == FailureClass.NODE_LOST) {
            return;
        }
        if (end.failure() == null) {
            boolean completed = timeline.halt != null && timeline.halt.cause() == Halt.Cause.COMPLETED;
            lines.add(new Line(at, prefix() + (completed ? "training is complete" : "stopping after the checkpoint")));
        } else {
            lines.addAll(complaints(end).map(text -> new Line(at, text)).toList());
        }
    }

    private Stream<String> complaints(PodTimes.End end) {
        int code = end.exitCode() == null ? 1 : end.exitCode();
        return switch (Objects.requireNonNull(end.failure())) {
            case OUT_OF_MEMORY -> Stream.of(prefix() + "dataloader worker is killed by signal 9");
            case GPU_FAULT ->
                Stream.of(
                        prefix() + "CUDA error: unspecified launch failure",
                        prefix() + "NVRM: Xid 79, GPU has fallen off the bus");
            case CANCELLED -> Stream.of(prefix() + "stopped with exit code " + code);
            default ->
                end.message() != null
                        ? Stream.of(prefix() + "error: " + end.message())
                        : Stream.of(
                                prefix() + "Traceback (most recent call last):",
                                prefix() + "  File \"train.py\", line 214, in train_step",
                                prefix() + "RuntimeError: loss is not finite at step " + timeline.stepAt(end.at()),
                                prefix() + "exit code " + code);
        };
    }

    private String stepLine(Instant at) {
        long step = timeline.stepAt(at);
        long steps = timeline.behaviour.steps();
        double perSecond =
                steps * 1000.0 / Math.max(1, timeline.behaviour.training().toMillis());
        double loss = curve(timeline).at(step);
        double rate = 3e-4 * 0.5 * (1 + StrictMath.cos(Math.PI * step / steps));
        return String.format(
                Locale.ROOT,
                "%sstep %d/%d | loss %.4f | lr %.2e | %.1f steps/s",
                prefix(),
                step,
                steps,
                loss,
                rate,
                perSecond);
    }

    private String savedLine(long step) {
        double gigabytes = AttemptFacts.bytes(timeline.attempt) / 1e9;
        return String.format(
                Locale.ROOT,
                "%scheckpoint of step %d is in %s (%.1f GB in %.1f s)",
                prefix(),
                step,
                timeline.attempt.checkpointPath(),
                gigabytes,
                timeline.behaviour.save().toMillis() / 1000.0);
    }

    private String prefix() {
        return "[rank " + timeline.firstRank(index) + "] ";
    }

    private int gang() {
        return timeline.attempt.pods().size();
    }
}
