package io.muster.virtual;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.model.NodeId;
import io.muster.simulation.AttemptFacts;
import io.muster.virtual.NodeRows.Row;
import io.muster.virtual.ToldRows.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes facts of rows and tells them; what was told is kept only after the observer has taken it. */
final class Teller {
    private static final Logger LOG = LoggerFactory.getLogger(Teller.class);
    private static final int BATCH = 400;
    private static final int FACTS_AT_ONCE = 1_000;
    private static final int MOST_BATCHES = 20;
    private static final int MOST_FAILURES = 3;

    private final AttemptRows attempts;
    private final ToldRows told;
    private final NodeRows nodes;
    private final ClusterObserver observer;

    Teller(AttemptRows attempts, ToldRows told, NodeRows nodes, ClusterObserver observer) {
        this.attempts = attempts;
        this.told = told;
        this.nodes = nodes;
        this.observer = observer;
    }

    /** Everything as it is, for an observer that may have missed some of it. */
    void tellAll(Instant now) {
        List<Row> rows = nodes.all();
        observer.observe(nodeFacts(rows, now));
        nodes.told(rows);
        List<Told> there = attempts.there().stream()
                .map(read -> new Told(read, AttemptFacts.of(read.attempt())))
                .toList();
        told.keepEnds(there);
        var facts = new ArrayList<ClusterFact>();
        for (Told one : there) {
            // As of what was or is being told: what comes after that is told in its turn.
            facts.addAll(one.facts().asOf(one.read().tellingUntil()));
        }
        for (int i = 0; i < facts.size(); i += FACTS_AT_ONCE) {
            observer.observe(List.copyOf(facts.subList(i, Math.min(facts.size(), i + FACTS_AT_ONCE))));
        }
    }

    /** Which nodes and replicas exist. {@code now} was read before the rows are. */
    void tellList(Instant now) {
        Set<NodeId> there = nodes.all().stream()
                .filter(row -> !row.deleted())
                .map(row -> row.node().id())
                .collect(Collectors.toSet());
        observer.observe(List.of(new ClusterFact.FullList(Set.copyOf(attempts.replicasThere()), there, now)));
    }

    /** Nodes that changed. */
    void tellNodes(Instant now) {
        List<Row> rows = nodes.untold();
        if (!rows.isEmpty()) {
            observer.observe(nodeFacts(rows, now));
            nodes.told(rows);
        }
    }

    /** All that has happened in pods. False when the observer did not take all of it: it stays due. */
    boolean tellAttempts(Instant now) {
        for (int batch = 0; batch < MOST_BATCHES; batch++) {
            List<Told> due = attempts.claimDue(now, BATCH).stream()
                    .map(read -> new Told(read, AttemptFacts.of(read.attempt())))
                    .toList();
            if (due.isEmpty()) {
                return true;
            }
            if (!tell(due)) {
                return false;
            }
        }
        return true;
    }

    /** All at once, because that is quick; one by one when that fails, so that one bad row does not stop the others. */
    private boolean tell(List<Told> due) {
        told.keepEnds(due);
        try {
            observe(due);
            told.keep(due);
            return true;
        } catch (RuntimeException e) {
            LOG.warn("the observer did not take the facts of {} attempts, now one by one", due.size(), e);
            tellOneByOne(due);
            return false;
        }
    }

    private void tellOneByOne(List<Told> due) {
        int failures = 0;
        for (Told one : due) {
            try {
                observe(List.of(one));
                told.keep(List.of(one));
            } catch (RuntimeException e) {
                LOG.warn(
                        "the observer did not take the facts of {}",
                        one.read().attempt().id(),
                        e);
                failures++;
                if (failures == MOST_FAILURES) {
                    return;
                }
            }
        }
    }

    private void observe(List<Told> due) {
        var facts = new ArrayList<ClusterFact>();
        for (Told one : due) {
            facts.addAll(one.facts().between(one.read().toldUntil(), one.read().tellingUntil()));
        }
        // Stable: facts of one attempt at one instant stay in the order of the model.
        facts.sort(Comparator.comparing(ClusterFact::at));
        if (!facts.isEmpty()) {
            observer.observe(facts);
        }
    }

    private static List<ClusterFact> nodeFacts(List<Row> rows, Instant now) {
        var facts = new ArrayList<ClusterFact>();
        for (Row row : rows) {
            if (row.deleted()) {
                facts.add(new ClusterFact.NodeGone(row.node().id(), now));
            } else {
                facts.add(row.node().seen(now, row.isLost()));
                facts.add(row.node().foreignUsage(now));
            }
        }
        return facts;
    }
}
