package io.muster.simulation;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterFact.CheckpointSaved;
import io.muster.gateway.ClusterFact.ProgramFinished;
import io.muster.gateway.ClusterFact.ProgressMade;
import io.muster.gateway.ClusterFact.ReplicaGone;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.ReplicaPhase;
import io.muster.model.FailureClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a virtual attempt tells, as a function of its rows and the clock. Two windows that meet tell together exactly
 * what one window over both tells, apart from progress, of which a long window keeps an even sample.
 */
public final class AttemptFacts {
    private static final int PROGRESS_PER_WINDOW = 10;
    private static final long GPU_STATE_BYTES = 2_400_000_000L;

    private final VirtualAttempt attempt;
    private final Timeline timeline;
    private final List<List<ClusterFact>> pods;
    private final List<TrainingLog> logs;

    private AttemptFacts(VirtualAttempt attempt) {
        this.attempt = attempt;
        this.timeline = Timeline.of(attempt);
        var phases = new ArrayList<List<ClusterFact>>();
        var lines = new ArrayList<TrainingLog>();
        for (int i = 0; i < attempt.pods().size(); i++) {
            phases.add(phases(i));
            lines.add(TrainingLog.of(timeline, i));
        }
        this.pods = phases;
        this.logs = lines;
    }

    public static AttemptFacts of(VirtualAttempt attempt) {
        return new AttemptFacts(attempt);
    }

    /** Everything that happens after {@code from}, up to and including {@code to}, in order. */
    public List<ClusterFact> between(Instant from, Instant to) {
        var facts = new ArrayList<ClusterFact>();
        addProgress(facts, from, to);
        addSaves(facts, from, to);
        finished().filter(f -> isIn(f.at(), from, to)).ifPresent(facts::add);
        logs.forEach(log -> facts.addAll(log.between(from, to)));
        pods.forEach(pod -> pod.stream().filter(f -> isIn(f.at(), from, to)).forEach(facts::add));
        facts.sort(Comparator.comparing(ClusterFact::at).thenComparingInt(AttemptFacts::orderAtOneInstant));
        return facts;
    }

    /** How every pod that exists at {@code at} is then, for one who has forgotten everything. */
    public List<ClusterFact> asOf(Instant at) {
        var facts = new ArrayList<ClusterFact>();
        for (int i = 0; i < pods.size(); i++) {
            if (!isGone(i, at)) {
                pods.get(i).stream()
                        .filter(f -> !f.at().isAfter(at))
                        .max(Comparator.comparing(ClusterFact::at))
                        .ifPresent(facts::add);
            }
        }
        return facts;
    }

    /** When there is something to tell next after {@code after}; empty: not before somebody does something to it. */
    public Optional<Instant> nextAfter(Instant after) {
        var times = new ArrayList<@Nullable Instant>();
        times.add(next(timeline.reports(), after));
        times.add(next(timeline.saves(), after));
        timeline.answers().forEach(answer -> times.add(answer.at()));
        finished().ifPresent(f -> times.add(f.at()));
        logs.forEach(log -> times.add(log.nextAfter(after)));
        pods.forEach(pod -> pod.forEach(f -> times.add(f.at())));
        return times.stream()
                .filter(Objects::nonNull)
                .filter(t -> t.isAfter(after))
                .min(Instant::compareTo);
    }

    /** Whether the pod in this place of the rank order has ended or is gone, so that its GPUs are free. */
    public boolean hasEnded(int rankOrder, Instant at) {
        PodTimes times = timeline.pods.get(rankOrder);
        return isGone(rankOrder, at) || times.end() != null && !times.end().at().isAfter(at);
    }

    public boolean isGone(int rankOrder, Instant at) {
        Instant gone = timeline.pods.get(rankOrder).gone();
        return gone != null && !gone.isAfter(at);
    }

    /** Whether nothing of the attempt exists any more. */
    public boolean isGone(Instant at) {
        return timeline.pods.stream()
                .allMatch(pod -> pod.gone() != null && !pod.gone().isAfter(at));
    }

    private void addProgress(List<ClusterFact> facts, Instant from, Instant to) {
        Recurring reports = timeline.reports();
        if (reports != null) {
            long first = reports.countUntil(from) + 1;
            long last = reports.countUntil(to);
            long stride = Math.max(1, Math.ceilDiv(last - first + 1, PROGRESS_PER_WINDOW));
            for (long k = last; k >= first; k -= stride) {
                facts.add(progress(reports.begin(k)));
            }
        }
        Halt halt = timeline.halt;
        if (halt != null && halt.cause() == Halt.Cause.COMPLETED && isIn(halt.at(), from, to)) {
            facts.add(progress(halt.at()));
        }
    }

    private ProgressMade progress(Instant at) {
        long step = timeline.stepAt(at);
        return new ProgressMade(
                attempt.id(),
                step,
                timeline.behaviour.steps(),
                TrainingLog.curve(timeline).at(step),
                at);
    }

    private void addSaves(List<ClusterFact> facts, Instant from, Instant to) {
        Recurring saves = timeline.saves();
        if (saves != null) {
            for (long k = saves.countUntil(from) + 1; k <= saves.countUntil(to); k++) {
                facts.add(saved(new Timeline.Answer(null, saves.told(k), timeline.stepAt(saves.begin(k)))));
            }
        }
        timeline.answers().stream()
                .filter(a -> isIn(a.at(), from, to))
                .map(this::saved)
                .forEach(facts::add);
    }

    private CheckpointSaved saved(Timeline.Answer answer) {
        String path = String.format(Locale.ROOT, "%s/step-%08d", attempt.checkpointPath(), answer.step());
        return new CheckpointSaved(attempt.id(), answer.signal(), answer.step(), path, bytes(attempt), answer.at());
    }

    /** Weights and optimiser state are spread over the GPUs, so that size grows with their number. */
    static long bytes(VirtualAttempt attempt) {
        int gpus = attempt.pods().stream().mapToInt(VirtualPod::gpus).sum();
        double share = new Dice(attempt.seed())
                .salted(attempt.id().job().value())
                .salted("bytes")
                .between(0.2, 1.0);
        return Math.max(1, (long) (GPU_STATE_BYTES * share * Math.max(1, gpus)));
    }

    private Optional<ProgramFinished> finished() {
        Halt halt = timeline.halt;
        return halt != null && halt.cause() == Halt.Cause.COMPLETED && timeline.behaviour.exitCode() == 0
                ? Optional.of(new ProgramFinished(attempt.id(), halt.at()))
                : Optional.empty();
    }

    private List<ClusterFact> phases(int index) {
        VirtualPod pod = attempt.pods().get(index);
        PodTimes times = timeline.pods.get(index);
        var facts = new ArrayList<ClusterFact>();
        facts.add(seen(pod, ReplicaPhase.PENDING, attempt.createdAt(), null, null, "waits for its node"));
        facts.add(seen(pod, ReplicaPhase.PULLING, times.pulling(), "Pulling", null, "pulls " + pod.image()));
        if (times.unpullable() != null) {
            facts.add(seen(
                    pod,
                    ReplicaPhase.PULLING,
                    times.unpullable(),
                    "ImagePullBackOff",
                    FailureClass.IMAGE,
                    "the image " + pod.image() + " cannot be pulled"));
        }
        if (times.running() != null) {
            facts.add(seen(pod, ReplicaPhase.RUNNING, times.running(), null, null, null));
        }
        if (times.terminating() != null) {
            facts.add(seen(pod, ReplicaPhase.TERMINATING, times.terminating(), null, null, "has its grace"));
        }
        facts.removeIf(f -> isAfterItsEnd(f, times));
        if (times.end() != null) {
            facts.add(ended(pod, times.end()));
        }
        if (times.gone() != null) {
            facts.add(new ReplicaGone(pod.id(), times.gone()));
        }
        return List.copyOf(facts);
    }

    private static boolean isAfterItsEnd(ClusterFact fact, PodTimes times) {
        boolean ended = times.end() != null && !fact.at().isBefore(times.end().at());
        boolean gone = times.gone() != null && !fact.at().isBefore(times.gone());
        return ended || gone;
    }

    private static ReplicaSeen ended(VirtualPod pod, PodTimes.End end) {
        return new ReplicaSeen(
                pod.id(),
                end.phase(),
                pod.node(),
                end.reason(),
                end.exitCode(),
                end.failure(),
                end.message(),
                end.at());
    }

    private static ReplicaSeen seen(
            VirtualPod pod,
            ReplicaPhase phase,
            Instant at,
            @Nullable String reason,
            @Nullable FailureClass failure,
            @Nullable String message) {
        return new ReplicaSeen(pod.id(), phase, pod.node(), reason, null, failure, message, at);
    }

    private static int orderAtOneInstant(ClusterFact fact) {
        return switch (fact) {
            case ProgressMade f -> 0;
            case CheckpointSaved f -> 1;
            case ClusterFact.LogLines f -> 2;
            case ProgramFinished f -> 3;
            case ReplicaSeen f -> 4;
            case ReplicaGone f -> 5;
            case ClusterFact.NodeSeen f -> 6;
            case ClusterFact.NodeGone f -> 6;
            case ClusterFact.ForeignUsage f -> 6;
            case ClusterFact.FullList f -> 7;
        };
    }

    private static @Nullable Instant next(@Nullable Recurring recurring, Instant after) {
        return recurring == null ? null : recurring.nextAfter(after);
    }

    private static boolean isIn(Instant at, Instant from, Instant to) {
        return at.isAfter(from) && !at.isAfter(to);
    }
}
