package io.muster.scheduling.verify;

import io.muster.model.TeamOrder;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;

/** By which a job takes its turn from an equal of its own team: it comes before it in the team's order, by enough. */
final class TurnRules {
    private static final double FAIR_MARGIN = 0.02;
    /** The same number reckoned in another way. */
    private static final double ROUNDING = 1e-9;

    private static final long LEAST_RESTART = 60;
    private static final long LEAST_TURN = 300;
    private static final double RESTARTS_BEHIND = 12.5;

    private final ClusterSnapshot snapshot;

    TurnRules(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    boolean mayTake(RunningJob victim, WaitingJob beneficiary, TeamOrder order) {
        boolean equals = victim.facts().team().equals(beneficiary.facts().team())
                && victim.facts().priority() == beneficiary.facts().priority();
        return equals
                && switch (order) {
                    case FIFO -> false;
                    case ATTAINED_SERVICE -> savesMore(victim, beneficiary);
                    case FAIR_FINISH -> isBehind(victim, beneficiary);
                };
    }

    /** What the victim's next end costs is so much more that its restart is paid for; both rounded to powers of two. */
    private boolean savesMore(RunningJob victim, WaitingJob beneficiary) {
        long dear = power(victim.service(), victim.gpusHeld());
        long cheap = power(beneficiary.service(), beneficiary.facts().gpus());
        return dear - cheap > lossPerGpu(victim) * victim.gpusHeld();
    }

    private static long power(Service had, int gpus) {
        return Long.highestOneBit(Math.max(1, had.nextEnd().toMillis() * gpus / 1000));
    }

    /** It is behind by twelve and a half restarts, and the victim has run ten times as long as one costs it. */
    private boolean isBehind(RunningJob victim, WaitingJob beneficiary) {
        double its = share(beneficiary.service(), beneficiary.facts().submittedAt());
        double victims = share(victim.service(), victim.facts().submittedAt());
        long turn = Math.max(LEAST_TURN, 10 * lossPerGpu(victim));
        double age = Duration.between(beneficiary.facts().submittedAt(), snapshot.asOf())
                        .toMillis()
                / 1000.0;
        return victims - its > FAIR_MARGIN - ROUNDING
                && (victims - its) * age > RESTARTS_BEHIND * lossPerGpu(victim) - ROUNDING * Math.max(1, age)
                && !since(victim).plusSeconds(turn).isAfter(snapshot.asOf());
    }

    private double share(Service had, Instant submittedAt) {
        double age = Duration.between(submittedAt, snapshot.asOf()).toMillis();
        return had.ran().toMillis() / Math.max(1000, age);
    }

    /** Seconds of work that one of its GPUs loses: since its last checkpoint, and a restart. */
    private long lossPerGpu(RunningJob victim) {
        var last = victim.lastCheckpointAt() == null ? since(victim) : victim.lastCheckpointAt();
        long risk = Math.max(0, Duration.between(last, snapshot.asOf()).toSeconds());
        var every = victim.facts().checkpointEvery();
        if (victim.lastCheckpointAt() == null && every != null) {
            risk = Math.min(risk, every.toSeconds());
        }
        return Math.max(LEAST_RESTART, risk + victim.restartTime().toSeconds());
    }

    private static Instant since(RunningJob job) {
        return job.runningSince() == null ? job.startedAt() : job.runningSince();
    }
}
