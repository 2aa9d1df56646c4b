package io.muster.simulation;

import io.muster.simulation.Halt.Cause;
import io.muster.simulation.PodTimes.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When an attempt does what, as far as its rows decide it. Training begins when every replica runs (rank 0 waits for
 * them at MASTER_ADDR), goes on at full speed, and halts once, for the earliest of all causes.
 */
final class Timeline {
    /** From being made to being on a node. */
    static final Duration BIND = Duration.ofMillis(200);

    /** From the last thing a program does to its container's end. */
    static final Duration EXIT = Duration.ofMillis(500);

    private static final Duration SAVES_LEAST = Duration.ofSeconds(1);

    final VirtualAttempt attempt;
    final Behaviour behaviour;
    final Training training;
    final List<PodTimes> pods;
    final @Nullable Instant trainingAt;
    final @Nullable Halt halt;
    /** When the save that the halt asked for is on disk, or null: none is. */
    final @Nullable Instant savedAt;

    private final int[] firstRanks;

    private Timeline(VirtualAttempt attempt) {
        this.attempt = attempt;
        this.behaviour = attempt.behaviour();
        this.training = new Training(behaviour.training(), behaviour.steps(), attempt.resumeStep());
        List<Optional<Instant>> running = attempt.pods().stream()
                .map(pod -> Optional.ofNullable(runningAt(pod)))
                .toList();
        this.trainingAt = barrier(running);
        this.halt = trainingAt == null ? null : halt(trainingAt);
        this.savedAt = halt == null ? null : savedAt(halt);
        var endings = new Endings(attempt, behaviour, halt, savedAt);
        var times = new ArrayList<PodTimes>(running.size());
        for (int i = 0; i < running.size(); i++) {
            times.add(times(endings, i, running.get(i).orElse(null)));
        }
        this.pods = List.copyOf(times);
        this.firstRanks = firstRanks(attempt);
    }

    static Timeline of(VirtualAttempt attempt) {
        return new Timeline(attempt);
    }

    /** The first training process of a replica: one per GPU, and one where there is none. */
    int firstRank(int index) {
        return firstRanks[index];
    }

    /** The last whole step done by {@code at}. */
    long stepAt(Instant at) {
        if (trainingAt == null) {
            return training.from();
        }
        Instant until = halt != null && halt.at().isBefore(at) ? halt.at() : at;
        return training.stepAfter(Duration.between(trainingAt, until));
    }

    /** Progress reports, or null: it does not train. */
    @Nullable Recurring reports() {
        return trainingAt == null ? null : new Recurring(trainingAt, behaviour.report(), Duration.ZERO, haltAt());
    }

    /** Checkpoints that it makes by itself, while it goes on training; or null: none. */
    @Nullable Recurring saves() {
        if (trainingAt == null || attempt.checkpointPath() == null || attempt.checkpointEvery() == null) {
            return null;
        }
        Duration period = Stream.of(attempt.checkpointEvery(), behaviour.save(), SAVES_LEAST)
                .max(Duration::compareTo)
                .orElseThrow();
        return new Recurring(trainingAt, period, behaviour.save(), haltAt());
    }

    /** The answer to a signal: what was saved and when it was on disk. */
    record Answer(@Nullable UUID signal, Instant at, long step) {}

    /** Every save that was asked for, and the one that a SIGTERM made. */
    List<Answer> answers() {
        var answers = new ArrayList<Answer>();
        if (trainingAt != null && answersSignals()) {
            attempt.signals().forEach(signal -> answer(signal).ifPresent(answers::add));
        }
        if (halt != null && savedAt != null && halt.cause() == Cause.TERMINATED) {
            answers.add(new Answer(null, savedAt, stepAt(halt.at())));
        }
        return answers;
    }

    private Optional<Answer> answer(VirtualAttempt.Signal signal) {
        Instant heard = later(signal.at(), trainingAt);
        Instant saved = heard.plus(behaviour.save());
        if (halt == null || !saved.isAfter(halt.at())) {
            return Optional.of(new Answer(signal.id(), saved, stepAt(heard)));
        }
        return savedAt == null || heard.isAfter(savedAt)
                ? Optional.empty()
                : Optional.of(new Answer(signal.id(), savedAt, stepAt(halt.at())));
    }

    private boolean answersSignals() {
        return attempt.checkpointPath() != null && !behaviour.ignoresSignals();
    }

    private @Nullable Instant haltAt() {
        return halt == null ? null : halt.at();
    }

    private @Nullable Instant runningAt(VirtualPod pod) {
        if (isUnpullable(pod) || isUnwanted()) {
            return null;
        }
        Instant at = attempt.createdAt().plus(BIND).plus(pod.pull()).plus(behaviour.start());
        boolean deleted =
                attempt.deletion() != null && !at.isBefore(attempt.deletion().at());
        boolean lost = pod.loss() != null && !at.isBefore(pod.loss().at());
        return deleted || lost ? null : at;
    }

    private boolean isUnpullable(VirtualPod pod) {
        return hasFault(Fault.Kind.IMAGE) || Images.cannotExist(pod.image());
    }

    private boolean isUnwanted() {
        return hasFault(Fault.Kind.ADMISSION);
    }

    private boolean hasFault(Fault.Kind kind) {
        return behaviour.fault() != null && behaviour.fault().kind() == kind;
    }

    /** The moment at which the last replica runs, if by then none was lost or ended. */
    private @Nullable Instant barrier(List<Optional<Instant>> running) {
        if (behaviour.complaint() != null || running.stream().anyMatch(Optional::isEmpty)) {
            return null;
        }
        Instant last = running.stream()
                .flatMap(Optional::stream)
                .max(Instant::compareTo)
                .orElseThrow();
        boolean whole = attempt.pods().stream()
                .noneMatch(pod -> pod.loss() != null && pod.loss().at().isBefore(last)
                        || pod.order() != null && pod.order().at().isBefore(last));
        return whole ? last : null;
    }

    private Halt halt(Instant trains) {
        var causes = new ArrayList<Halt>();
        causes.add(new Halt(Cause.COMPLETED, trains.plus(training.remaining())));
        fault(trains).ifPresent(causes::add);
        if (answersSignals()) {
            attempt.signals().stream()
                    .filter(VirtualAttempt.Signal::thenStop)
                    .map(signal -> new Halt(Cause.SIGNALLED, later(signal.at(), trains)))
                    .forEach(causes::add);
        }
        if (attempt.deletion() != null) {
            causes.add(
                    behaviour.ignoresSigterm()
                            ? new Halt(Cause.KILLED, attempt.deletion().killAt())
                            : new Halt(Cause.TERMINATED, attempt.deletion().at()));
        }
        for (int i = 0; i < attempt.pods().size(); i++) {
            VirtualPod pod = attempt.pods().get(i);
            if (pod.loss() != null) {
                causes.add(new Halt(Cause.LOST, pod.loss().at(), i));
            }
            if (pod.order() != null) {
                causes.add(new Halt(Cause.ORDERED, pod.order().at(), i));
            }
        }
        return causes.stream().min(Halt::compareTo).orElseThrow();
    }

    private Optional<Halt> fault(Instant trains) {
        Fault fault = behaviour.fault();
        if (fault == null) {
            return Optional.empty();
        }
        Duration ahead = training.timeToPosition(fault.at());
        Cause cause = fault.kind() == Fault.Kind.HANG ? Cause.HUNG : Cause.CRASHED;
        int replica = Math.min(fault.replica(), attempt.pods().size() - 1);
        return ahead.isNegative() ? Optional.empty() : Optional.of(new Halt(cause, trains.plus(ahead), replica));
    }

    private @Nullable Instant savedAt(Halt halt) {
        boolean saves =
                halt.cause() == Cause.SIGNALLED || halt.cause() == Cause.TERMINATED && attempt.checkpointPath() != null;
        Instant saved = halt.at().plus(behaviour.save());
        boolean killed =
                attempt.deletion() != null && saved.isAfter(attempt.deletion().killAt());
        return saves && !killed ? saved : null;
    }

    private PodTimes times(Endings endings, int index, @Nullable Instant running) {
        VirtualPod pod = attempt.pods().get(index);
        Instant pulling = attempt.createdAt().plus(BIND);
        Instant unpullable = isUnpullable(pod) ? pulling.plus(Images.GIVES_UP_AFTER) : null;
        End end = running == null ? endings.ofOneThatNeverRan(pod, isUnwanted()) : endings.of(index, running);
        Instant deleted = attempt.deletion() == null ? null : attempt.deletion().at();
        Instant terminating = deleted != null && (end == null || end.at().isAfter(deleted)) ? deleted : null;
        return new PodTimes(pulling, unpullable, running, terminating, end, endings.gone(pod, running != null, end));
    }

    private static int[] firstRanks(VirtualAttempt attempt) {
        int[] ranks = new int[attempt.pods().size()];
        for (int i = 1; i < ranks.length; i++) {
            ranks[i] = ranks[i - 1] + Math.max(1, attempt.pods().get(i - 1).gpus());
        }
        return ranks;
    }

    private static Instant later(Instant one, @Nullable Instant other) {
        return other != null && other.isAfter(one) ? other : one;
    }
}
