package io.muster.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.gateway.ClusterFact;
import io.muster.job.AttemptLedger;
import io.muster.job.Cause;
import io.muster.job.CheckpointLedger;
import io.muster.job.JobEvents;
import io.muster.job.JobLedger;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader;
import io.muster.job.LogStore;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.ReplicaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/** Keeps what programs say and print: checkpoints, progress, that they are done, and their output. */
@Component
class ProgramFacts {
    private final LedgerReader reader;
    private final JobLedger ledger;
    private final AttemptLedger attempts;
    private final CheckpointLedger checkpoints;
    private final JobEvents events;
    private final LogStore logs;
    private final MeterRegistry meters;

    ProgramFacts(
            LedgerReader reader,
            JobLedger ledger,
            AttemptLedger attempts,
            CheckpointLedger checkpoints,
            JobEvents events,
            LogStore logs,
            MeterRegistry meters) {
        this.reader = reader;
        this.ledger = ledger;
        this.attempts = attempts;
        this.checkpoints = checkpoints;
        this.events = events;
        this.logs = logs;
        this.meters = meters;
    }

    /** @param jobs the jobs of the checkpoints and ends among {@code facts}, locked */
    void keep(List<ClusterFact> facts, Map<JobId, LedgerJob> jobs) {
        var progress = new TreeMap<AttemptId, AttemptLedger.Progress>();
        var output = new LinkedHashMap<ReplicaId, LogStore.Printed>();
        var printed = new TreeMap<AttemptId, Instant>();
        var finished = new TreeSet<AttemptId>();
        for (ClusterFact fact : facts) {
            if (fact instanceof ClusterFact.CheckpointSaved f) {
                saved(f, jobs);
            } else if (fact instanceof ClusterFact.ProgressMade f) {
                progress.put(f.attempt(), new AttemptLedger.Progress(f.attempt(), f.step(), f.of(), f.loss(), f.at()));
            } else if (fact instanceof ClusterFact.ProgramFinished f) {
                finished.add(f.attempt());
            } else if (fact instanceof ClusterFact.LogLines f) {
                print(f, output);
                printed.merge(f.replica().attempt(), f.at(), (a, b) -> a.isAfter(b) ? a : b);
            }
        }
        finished(finished, jobs);
        attempts.progressed(List.copyOf(progress.values()));
        attempts.printed(printed);
        store(output.values());
    }

    private void saved(ClusterFact.CheckpointSaved fact, Map<JobId, LedgerJob> jobs) {
        boolean news =
                checkpoints.saved(fact.attempt(), fact.signal(), fact.step(), fact.path(), fact.bytes(), fact.at());
        LedgerJob job = jobs.get(fact.attempt().job());
        if (!news || job == null) {
            return;
        }
        var data = new TreeMap<String, Object>();
        data.put("step", fact.step());
        data.put("path", fact.path());
        if (fact.bytes() != null) {
            data.put("bytes", fact.bytes());
        }
        if (fact.signal() != null) {
            data.put("signal", fact.signal().toString());
        }
        var cause = Cause.system("checkpoint-saved", data);
        events.append(fact.attempt().job(), fact.attempt().number(), "checkpoint-saved", cause);
        if (job.attempt() == fact.attempt().number() && answersSignal(fact, job)) {
            ledger.apply(job.id(), new LifecycleEvent.CheckpointSaved(), cause);
        }
    }

    private boolean answersSignal(ClusterFact.CheckpointSaved fact, LedgerJob job) {
        if (fact.signal() == null || job.life().state() != JobState.CHECKPOINTING) {
            return false;
        }
        LedgerAttempt attempt = reader.attempt(fact.attempt()).orElseThrow();
        return attempt.signal() != null && attempt.signal().id().equals(fact.signal());
    }

    private void finished(SortedSet<AttemptId> ended, Map<JobId, LedgerJob> jobs) {
        if (ended.isEmpty()) {
            return;
        }
        attempts.finished(ended);
        List<JobLedger.Change> changes = ended.stream()
                .filter(id -> jobs.containsKey(id.job())
                        && Objects.requireNonNull(jobs.get(id.job())).attempt() == id.number())
                .map(id -> new JobLedger.Change(
                        id.job(), null, new LifecycleEvent.ProgramFinished(), Cause.system("program-finished"), null))
                .toList();
        if (!changes.isEmpty()) {
            ledger.applyAll(changes);
        }
    }

    /** Consecutive lines of one replica are gathered, so that they are compressed together. */
    private void print(ClusterFact.LogLines fact, Map<ReplicaId, LogStore.Printed> output) {
        LogStore.Printed before = output.get(fact.replica());
        if (before == null || before.offset() + before.lines().size() != fact.offset()) {
            if (before != null) {
                store(List.of(before));
            }
            output.put(fact.replica(), new LogStore.Printed(fact.replica(), fact.offset(), fact.lines(), fact.at()));
            return;
        }
        var lines = new ArrayList<>(before.lines());
        lines.addAll(fact.lines());
        output.put(fact.replica(), new LogStore.Printed(fact.replica(), before.offset(), lines, fact.at()));
    }

    private void store(Collection<LogStore.Printed> output) {
        long dropped = logs.append(output);
        if (dropped > 0) {
            meters.counter("muster.logs.dropped").increment(dropped);
        }
    }
}
