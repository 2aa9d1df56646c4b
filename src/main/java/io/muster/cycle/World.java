package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.job.JobDocument;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReplica;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The loop's picture of all jobs that are not over, and of what holds GPUs. It can be made anew at any time from the
 * ledger, and is after any error.
 */
final class World {
    private static final SortedMap<String, String> NO_LABELS = Collections.unmodifiableSortedMap(new TreeMap<>());

    private @Nullable BigInteger mark;
    private final Map<JobId, LedgerJob> jobs = new TreeMap<>();
    private final Map<JobId, LedgerAttempt> attempts = new HashMap<>();
    private final Map<AttemptId, Map<ReplicaId, LedgerReplica>> held = new TreeMap<>();
    private final Map<JobId, JobDocument> documents = new HashMap<>();
    private List<Promise> promises = List.of();
    private Map<DecayedUsage.Place, Double> usage = Map.of();

    /** Everything that {@link #mark} does not cover has still to be read; null: everything has. */
    @Nullable BigInteger mark() {
        return mark;
    }

    void forget() {
        mark = null;
        jobs.clear();
        attempts.clear();
        held.clear();
        documents.clear();
        promises = List.of();
    }

    void readUpTo(BigInteger next) {
        mark = next;
    }

    void take(LedgerJob job) {
        if (job.life().state().isTerminal()) {
            jobs.remove(job.id());
            attempts.remove(job.id());
            documents.remove(job.id());
            return;
        }
        LedgerJob before = jobs.put(job.id(), job);
        if (before == null || before.revision() != job.revision()) {
            documents.remove(job.id());
        }
    }

    /** Older attempts than the one known are history. */
    void take(LedgerAttempt attempt) {
        LedgerAttempt known = attempts.get(attempt.id().job());
        boolean isCurrent = known == null || known.id().number() <= attempt.id().number();
        if (jobs.containsKey(attempt.id().job()) && isCurrent) {
            attempts.put(attempt.id().job(), attempt);
        }
    }

    void take(LedgerReplica replica) {
        AttemptId attempt = replica.id().attempt();
        if (!replica.isReleased()) {
            held.computeIfAbsent(attempt, a -> new TreeMap<>()).put(replica.id(), replica);
            return;
        }
        Map<ReplicaId, LedgerReplica> replicas = held.get(attempt);
        if (replicas != null) {
            replicas.remove(replica.id());
            if (replicas.isEmpty()) {
                held.remove(attempt);
            }
        }
    }

    void promise(List<Promise> all) {
        promises = List.copyOf(all);
    }

    void use(Map<DecayedUsage.Place, Double> ratios) {
        usage = Map.copyOf(ratios);
    }

    /** Documents of the revisions in force that are not in memory yet, at most so many. */
    List<LedgerDocuments.Revision> missingDocuments(int most) {
        return jobs.values().stream()
                .filter(job -> !documents.containsKey(job.id()))
                .limit(most)
                .map(job -> new LedgerDocuments.Revision(job.id(), job.revision()))
                .toList();
    }

    /** Keeps what planning needs of a document; what the programs are like may be large. */
    void take(JobId job, JobDocument document) {
        List<JobDocument.Group> groups = document.groups().stream()
                .map(g -> new JobDocument.Group(
                        g.name(), g.replicas(), g.each(), g.sharedMemoryBytes(), "", List.of(), null, Map.of()))
                .toList();
        documents.put(
                job,
                new JobDocument(
                        document.name(),
                        document.team(),
                        document.priority(),
                        groups,
                        document.gpuTypes(),
                        document.minGpuMemoryMib(),
                        document.pool(),
                        document.topology(),
                        document.walltime(),
                        document.preemptible(),
                        document.checkpoint(),
                        document.userRetries(),
                        List.of(),
                        NO_LABELS));
    }

    Collection<LedgerJob> jobs() {
        return jobs.values();
    }

    @Nullable LedgerJob job(JobId id) {
        return jobs.get(id);
    }

    @Nullable JobDocument document(JobId id) {
        return documents.get(id);
    }

    /** The newest attempt of a job that is active. */
    @Nullable LedgerAttempt attempt(JobId id) {
        return attempts.get(id);
    }

    /** What an attempt still holds, in rank order. */
    List<LedgerReplica> held(AttemptId id) {
        return held.getOrDefault(id, Map.of()).values().stream()
                .sorted(Comparator.comparingInt(LedgerReplica::rankOrder))
                .toList();
    }

    Map<AttemptId, Map<ReplicaId, LedgerReplica>> held() {
        return held;
    }

    List<Promise> promises() {
        return promises;
    }

    Map<DecayedUsage.Place, Double> usage() {
        return usage;
    }
}
