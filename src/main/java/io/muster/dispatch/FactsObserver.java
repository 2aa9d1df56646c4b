package io.muster.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.inventory.NodeReport;
import io.muster.inventory.NodeReports;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader;
import io.muster.job.LedgerReplica;
import io.muster.job.ReplicaLedger;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Keeps what a cluster tells, one transaction per batch: nodes go to the inventory, pods into the ledger of replicas,
 * and what they mean for a job goes through the lifecycle. Jobs are locked first and in order, so that two batches, or a
 * batch and a plan, never wait for each other in a circle.
 */
@Component
class FactsObserver implements ClusterObserver {
    private static final Logger LOG = LoggerFactory.getLogger(FactsObserver.class);

    /** A list shows what was made before it began; clocks of the cluster and of this server may differ by this much. */
    private static final Duration LIST_MARGIN = Duration.ofSeconds(5);

    private final TransactionOperations transactions;
    private final LedgerReader reader;
    private final ReplicaLedger replicas;
    private final ProgramFacts programs;
    private final GangSettlement settlement;
    private final CommandOutbox outbox;
    private final NodeReports nodes;
    private final ApplicationEventPublisher publisher;
    private final MeterRegistry meters;

    FactsObserver(
            TransactionOperations transactions,
            LedgerReader reader,
            ReplicaLedger replicas,
            ProgramFacts programs,
            GangSettlement settlement,
            CommandOutbox outbox,
            NodeReports nodes,
            ApplicationEventPublisher publisher,
            MeterRegistry meters) {
        this.transactions = transactions;
        this.reader = reader;
        this.replicas = replicas;
        this.programs = programs;
        this.settlement = settlement;
        this.outbox = outbox;
        this.nodes = nodes;
        this.publisher = publisher;
        this.meters = meters;
    }

    @Override
    public void observe(List<ClusterFact> facts) {
        if (facts.isEmpty()) {
            return;
        }
        Timer.Sample sample = Timer.start(meters);
        transactions.executeWithoutResult(status -> keep(facts));
        sample.stop(meters.timer("muster.facts.batch"));
        meters.counter("muster.facts").increment(facts.size());
    }

    private void keep(List<ClusterFact> facts) {
        reportNodes(facts);
        Map<ReplicaId, Loss> lost = lost(facts);
        Set<AttemptId> attempts = attempts(facts, lost);
        Map<JobId, LedgerJob> jobs = lock(attempts);
        programs.keep(facts, jobs);
        var book = new ReplicaBook(reader, attempts);
        facts.forEach(fact -> {
            if (fact instanceof ClusterFact.ReplicaSeen seen) {
                book.seen(seen);
            } else if (fact instanceof ClusterFact.ReplicaGone gone) {
                book.gone(gone.replica(), gone.at(), null);
            }
        });
        lost.forEach((replica, loss) -> book.gone(replica, loss.at(), loss.why()));
        book.write(replicas);
        var newest = new TreeMap<AttemptId, Collection<LedgerReplica>>();
        for (AttemptId attempt : book.changedAttempts()) {
            LedgerJob job = jobs.get(attempt.job());
            if (job != null && job.attempt() == attempt.number()) {
                newest.put(attempt, book.replicas(attempt));
            }
        }
        settlement.settle(newest);
        book.undead().forEach(attempt -> stopUndead(attempt, jobs));
    }

    private void reportNodes(List<ClusterFact> facts) {
        boolean changed = false;
        for (ClusterFact fact : facts) {
            switch (fact) {
                case ClusterFact.NodeSeen n -> nodes.seen(report(n));
                case ClusterFact.NodeGone n -> nodes.gone(n.node(), n.at());
                case ClusterFact.ForeignUsage n -> nodes.foreign(n.node(), n.used(), n.at());
                case ClusterFact.FullList n -> nodes.fullList(n.nodes(), n.at());
                case ClusterFact.ReplicaSeen r -> {}
                case ClusterFact.ReplicaGone r -> {}
                case ClusterFact.LogLines r -> {}
                case ClusterFact.CheckpointSaved r -> {}
                case ClusterFact.ProgressMade r -> {}
                case ClusterFact.ProgramFinished r -> {}
            }
            changed |= fact instanceof ClusterFact.NodeSeen
                    || fact instanceof ClusterFact.NodeGone
                    || fact instanceof ClusterFact.ForeignUsage;
        }
        if (changed) {
            publisher.publishEvent(new NodesChanged());
        }
    }

    private static NodeReport report(ClusterFact.NodeSeen n) {
        return new NodeReport(
                n.node(),
                n.labels(),
                n.taints().stream()
                        .map(t -> new NodeReport.Taint(t.key(), t.value(), t.effect()))
                        .toList(),
                n.allocatable(),
                n.ready(),
                n.unschedulable(),
                n.badConditions(),
                n.at());
    }

    private record Loss(Instant at, @Nullable FailureClass why) {}

    /** Replicas that are gone without a word of their own: with their node, or because a complete list lacks them. */
    private Map<ReplicaId, Loss> lost(List<ClusterFact> facts) {
        var lost = new HashMap<ReplicaId, Loss>();
        for (ClusterFact fact : facts) {
            if (fact instanceof ClusterFact.NodeGone gone) {
                lostWith(gone.node(), gone.at(), lost);
            } else if (fact instanceof ClusterFact.FullList list) {
                replicas.heldSinceBefore(list.at().minus(LIST_MARGIN)).stream()
                        .filter(id -> !list.replicas().contains(id))
                        .forEach(id -> lost.putIfAbsent(id, new Loss(list.at(), null)));
            }
        }
        return lost;
    }

    private void lostWith(NodeId node, Instant at, Map<ReplicaId, Loss> lost) {
        replicas.heldOn(node).forEach(id -> lost.put(id, new Loss(at, FailureClass.NODE_LOST)));
    }

    private static Set<AttemptId> attempts(List<ClusterFact> facts, Map<ReplicaId, Loss> lost) {
        var attempts = new TreeSet<AttemptId>();
        for (ClusterFact fact : facts) {
            switch (fact) {
                case ClusterFact.ReplicaSeen f -> attempts.add(f.replica().attempt());
                case ClusterFact.ReplicaGone f -> attempts.add(f.replica().attempt());
                case ClusterFact.CheckpointSaved f -> attempts.add(f.attempt());
                case ClusterFact.ProgramFinished f -> attempts.add(f.attempt());
                case ClusterFact.NodeSeen f -> {}
                case ClusterFact.NodeGone f -> {}
                case ClusterFact.ForeignUsage f -> {}
                case ClusterFact.FullList f -> {}
                case ClusterFact.LogLines f -> {}
                case ClusterFact.ProgressMade f -> {}
            }
        }
        lost.keySet().forEach(id -> attempts.add(id.attempt()));
        return attempts;
    }

    private Map<JobId, LedgerJob> lock(Set<AttemptId> attempts) {
        var jobs = new HashMap<JobId, LedgerJob>();
        if (!attempts.isEmpty()) {
            var ids = new TreeSet<JobId>();
            attempts.forEach(a -> ids.add(a.job()));
            reader.lock(ids).forEach(job -> jobs.put(job.id(), job));
        }
        return jobs;
    }

    /** The ledger may never have known it (a database brought back from a copy): nobody counts its GPUs, so it goes. */
    private void stopUndead(AttemptId attempt, Map<JobId, LedgerJob> jobs) {
        meters.counter("muster.facts.undead").increment();
        LOG.error("Pods of {} live although the ledger has them gone; they are stopped", attempt);
        if (jobs.containsKey(attempt.job()) && !outbox.hasOpen(attempt, ClusterCommand.Kind.STOP)) {
            outbox.add(attempt, ClusterCommand.Kind.STOP, Duration.ZERO, Duration.ZERO);
        }
    }
}
