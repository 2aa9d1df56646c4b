package io.muster.cycle;

import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader.Unreadable;
import io.muster.job.LedgerReplica;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Jobs that no plan may look at, and why: something of them cannot be read, or they make the core fail. What they hold
 * stays theirs; a node of which nobody can say how much of it is held takes no more.
 */
final class Unplannable {
    private final Map<JobId, String> rows = new HashMap<>();
    private final Map<JobId, String> documents = new HashMap<>();
    private final Map<JobId, Unreadable.Attempt> attempts = new HashMap<>();
    private final Map<ReplicaId, Unreadable.Replica> replicas = new HashMap<>();
    /** Known from an error, not from the ledger: it is remembered while the job stays as it is. */
    private final Map<JobId, Faulty> faulty = new HashMap<>();

    private record Faulty(long version, String why) {}

    /** Everything that a reading of the whole ledger finds again. */
    void forget() {
        rows.clear();
        documents.clear();
        attempts.clear();
        replicas.clear();
    }

    void unreadable(Unreadable row) {
        switch (row) {
            case Unreadable.Job r -> {
                over(r.id());
                if (!r.over()) {
                    rows.put(r.id(), r.why());
                }
            }
            case Unreadable.Attempt r -> attempts.put(r.id().job(), r);
            case Unreadable.Replica r -> {
                replicas.remove(r.id());
                if (!r.over()) {
                    replicas.put(r.id(), r);
                }
            }
        }
    }

    void unreadable(JobId job, String document) {
        documents.put(job, "its document: " + document);
    }

    /** It makes the core fail as it is at this version. */
    void faulty(JobId job, long version, String why) {
        faulty.put(job, new Faulty(version, why));
    }

    void readable(LedgerJob job) {
        rows.remove(job.id());
        Faulty known = faulty.get(job.id());
        if (known != null && known.version() != job.version()) {
            faulty.remove(job.id());
        }
        if (!job.life().state().isActive()) {
            attempts.remove(job.id());
        }
    }

    void readable(AttemptId attempt) {
        attempts.remove(attempt.job());
    }

    void readable(LedgerReplica replica) {
        replicas.remove(replica.id());
    }

    void documented(JobId job) {
        documents.remove(job);
    }

    void over(JobId job) {
        rows.remove(job);
        documents.remove(job);
        attempts.remove(job);
        faulty.remove(job);
    }

    /** True when a newer attempt of the same job is known, which cannot be read. */
    boolean isOlder(AttemptId attempt) {
        Unreadable.Attempt newer = attempts.get(attempt.job());
        return newer != null && newer.id().number() > attempt.number();
    }

    /** Why each of them cannot be planned. */
    SortedMap<JobId, String> whys() {
        var whys = new TreeMap<JobId, String>();
        faulty.forEach((job, f) -> whys.put(job, f.why()));
        replicas.forEach((id, r) -> whys.put(id.attempt().job(), r.why()));
        attempts.forEach((job, a) -> whys.put(job, a.why()));
        whys.putAll(documents);
        whys.putAll(rows);
        return whys;
    }

    /** Nodes on which somebody holds an unknown amount. */
    Set<NodeId> closedNodes() {
        var nodes = new TreeSet<NodeId>();
        replicas.values().forEach(r -> nodes.add(r.node()));
        return nodes;
    }
}
