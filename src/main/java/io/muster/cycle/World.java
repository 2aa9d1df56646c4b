package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.job.JobDocument;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader.Unreadable;
import io.muster.job.LedgerReplica;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.UserId;
import io.muster.scheduling.ordering.RunTimeHistory;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The loop's picture of all jobs that are not over, and of what holds GPUs. It can be made anew at any time from the
 * ledger, and is after any error. Of a job that cannot be read whole it knows why, and what it holds all the same.
 */
final class World {
    private @Nullable BigInteger mark;
    private final Map<JobId, LedgerJob> jobs = new HashMap<>();
    private final SortedMap<JobId, LedgerJob> inOrder = new TreeMap<>();
    private final Map<JobId, LedgerAttempt> attempts = new HashMap<>();
    private final Map<AttemptId, Map<ReplicaId, LedgerReplica>> held = new TreeMap<>();
    private final Map<JobId, JobDocument> documents = new HashMap<>();
    private final SortedSet<JobId> undocumented = new TreeSet<>();
    private final SortedSet<JobId> active = new TreeSet<>();
    private final SortedSet<JobId> timed = new TreeSet<>();
    private final Map<JobId, Object> seen = new HashMap<>();
    private final Unplannable unplannable = new Unplannable();
    private List<Promise> promises = List.of();
    private Map<DecayedUsage.Place, Double> usage = Map.of();
    private Map<DecayedUsage.Place, Map<UserId, Double>> userUse = Map.of();
    private RunTimeHistory runTimes = new RunTimeHistory();
    private Map<PoolId, Integer> reclaimed = Map.of();

    /** Everything that {@link #mark} does not cover has still to be read; null: everything has. */
    @Nullable BigInteger mark() {
        return mark;
    }

    void forget() {
        mark = null;
        jobs.clear();
        inOrder.clear();
        attempts.clear();
        held.clear();
        documents.clear();
        undocumented.clear();
        active.clear();
        timed.clear();
        seen.clear();
        unplannable.forget();
        promises = List.of();
    }

    void readUpTo(BigInteger next) {
        mark = next;
    }

    void take(LedgerJob job) {
        if (job.life().state().isTerminal()) {
            leave(job.id());
            unplannable.over(job.id());
            return;
        }
        LedgerJob before = jobs.put(job.id(), job);
        inOrder.put(job.id(), job);
        seen.put(job.id(), new Object());
        unplannable.readable(job);
        belongs(job, active, job.life().state().isActive());
        belongs(
                job,
                timed,
                job.life().state() == JobState.STARTING || job.life().state() == JobState.CHECKPOINTING);
        boolean known = before != null && before.revision() == job.revision() && documents.containsKey(job.id());
        if (!known) {
            documents.remove(job.id());
            undocumented.add(job.id());
        }
    }

    private static void belongs(LedgerJob job, Set<JobId> to, boolean does) {
        if (does) {
            to.add(job.id());
        } else {
            to.remove(job.id());
        }
    }

    private void leave(JobId job) {
        jobs.remove(job);
        inOrder.remove(job);
        attempts.remove(job);
        documents.remove(job);
        undocumented.remove(job);
        active.remove(job);
        timed.remove(job);
        seen.remove(job);
    }

    /**
     * Stands for all that was read of a job: as long as it is the same object, so is its row, its document, its attempt
     * and what it holds.
     */
    @Nullable Object seen(JobId job) {
        return seen.get(job);
    }

    private void touch(JobId job) {
        seen.computeIfPresent(job, (id, before) -> new Object());
    }

    /** Nothing that the picture knows of it may be believed any more, but for what it holds. */
    void unreadable(Unreadable row) {
        unplannable.unreadable(row);
        switch (row) {
            case Unreadable.Job r -> leave(r.id());
            case Unreadable.Attempt r -> {
                attempts.remove(r.id().job());
                touch(r.id().job());
            }
            case Unreadable.Replica r -> release(r.id());
        }
    }

    /** The document that is in force cannot be read; asked again when another is. */
    void unreadable(JobId job, String why) {
        undocumented.remove(job);
        unplannable.unreadable(job, why);
    }

    /** Older attempts than the one known are history. */
    void take(LedgerAttempt attempt) {
        LedgerAttempt known = attempts.get(attempt.id().job());
        boolean isCurrent = known == null || known.id().number() <= attempt.id().number();
        if (jobs.containsKey(attempt.id().job()) && isCurrent && !unplannable.isOlder(attempt.id())) {
            attempts.put(attempt.id().job(), attempt);
            touch(attempt.id().job());
            unplannable.readable(attempt.id());
        }
    }

    void take(LedgerReplica replica) {
        AttemptId attempt = replica.id().attempt();
        unplannable.readable(replica);
        touch(attempt.job());
        if (!replica.isReleased()) {
            held.computeIfAbsent(attempt, a -> new TreeMap<>()).put(replica.id(), replica);
            return;
        }
        release(replica.id());
    }

    private void release(ReplicaId replica) {
        touch(replica.attempt().job());
        Map<ReplicaId, LedgerReplica> replicas = held.get(replica.attempt());
        if (replicas != null) {
            replicas.remove(replica);
            if (replicas.isEmpty()) {
                held.remove(replica.attempt());
            }
        }
    }

    void promise(List<Promise> all) {
        promises = List.copyOf(all);
    }

    void use(Map<DecayedUsage.Place, Double> ratios) {
        usage = Map.copyOf(ratios);
    }

    void useByUser(Map<DecayedUsage.Place, Map<UserId, Double>> ratios) {
        userUse = Map.copyOf(ratios);
    }

    void learn(RunTimeHistory history) {
        runTimes = history;
    }

    void reclaim(Map<PoolId, Integer> lately) {
        reclaimed = Map.copyOf(lately);
    }

    /** What cannot be read or planned. */
    Unplannable unplannable() {
        return unplannable;
    }

    /** Jobs that have pods, or may have. */
    SortedSet<JobId> active() {
        return active;
    }

    /** Jobs whose attempt has a deadline: it must come up, or save. */
    SortedSet<JobId> timed() {
        return timed;
    }

    /** GPUs of each pool that were reclaimed outside guarantees within the policy's window. */
    Map<PoolId, Integer> reclaimed() {
        return reclaimed;
    }

    /** Documents of the revisions in force that are not in memory yet, at most so many. */
    List<LedgerDocuments.Revision> missingDocuments(int most) {
        return undocumented.stream()
                .limit(most)
                .map(id -> new LedgerDocuments.Revision(
                        id, Objects.requireNonNull(jobs.get(id)).revision()))
                .toList();
    }

    /** Keeps what planning needs of a document. */
    void take(JobId job, JobDocument document) {
        undocumented.remove(job);
        unplannable.documented(job);
        touch(job);
        documents.put(job, LeanDocument.of(document));
    }

    /** In the order of their ids. */
    Collection<LedgerJob> jobs() {
        return inOrder.values();
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

    /** What users used lately, over the mean of their team in the pool. */
    Map<DecayedUsage.Place, Map<UserId, Double>> userUse() {
        return userUse;
    }

    /** Run times of jobs that ended; empty where no team's order asks for them. */
    RunTimeHistory runTimes() {
        return runTimes;
    }
}
