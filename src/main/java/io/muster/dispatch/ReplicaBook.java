package io.muster.dispatch;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.LedgerReader;
import io.muster.job.LedgerReplica;
import io.muster.job.LedgerReplica.Stage;
import io.muster.job.ReplicaLedger;
import io.muster.job.ReplicaLedger.Sighting;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.ReplicaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of the attempts that a batch of facts speaks of. Facts are folded into them one after the other; a pod
 * never goes back to an earlier stage, so that facts may come twice and late.
 */
final class ReplicaBook {
    private final Map<AttemptId, Map<ReplicaId, LedgerReplica>> attempts = new TreeMap<>();
    private final Set<ReplicaId> changed = new LinkedHashSet<>();
    private final Set<AttemptId> undead = new LinkedHashSet<>();

    ReplicaBook(LedgerReader reader, Collection<AttemptId> ids) {
        reader.replicas(ids).forEach((id, rows) -> {
            var replicas = new TreeMap<ReplicaId, LedgerReplica>();
            rows.forEach(r -> replicas.put(r.id(), r));
            attempts.put(id, replicas);
        });
    }

    void seen(ClusterFact.ReplicaSeen fact) {
        LedgerReplica known = find(fact.replica());
        Stage stage = stage(fact.phase());
        if (known == null || known.stage() == Stage.GONE) {
            noteUndead(fact, stage, known);
            return;
        }
        boolean news = stage.compareTo(known.stage()) > 0
                || stage == known.stage() && fact.failure() != null && known.failure() == null;
        if (known.stage().isOver() || !news) {
            return;
        }
        Instant started = known.startedAt() == null && stage == Stage.RUNNING ? fact.at() : known.startedAt();
        put(new LedgerReplica(
                known.id(),
                known.rankOrder(),
                known.node(),
                known.amount(),
                stage,
                fact.reason(),
                fact.exitCode(),
                fact.failure() != null || stage != Stage.FAILED ? fact.failure() : FailureClass.UNKNOWN,
                fact.message(),
                fact.at(),
                started,
                stage.isOver() ? notBefore(started, fact.at()) : null));
    }

    /** @param why the class of the loss, or null: somebody removed the pod */
    void gone(ReplicaId id, Instant at, @Nullable FailureClass why) {
        LedgerReplica known = find(id);
        if (known == null || known.stage().isOver()) {
            return;
        }
        put(new LedgerReplica(
                known.id(),
                known.rankOrder(),
                known.node(),
                known.amount(),
                Stage.GONE,
                known.reason(),
                known.exitCode(),
                why != null ? why : known.failure(),
                known.message(),
                at,
                known.startedAt(),
                notBefore(known.startedAt(), at)));
    }

    Set<AttemptId> changedAttempts() {
        var ids = new TreeSet<AttemptId>();
        changed.forEach(id -> ids.add(id.attempt()));
        return ids;
    }

    /** Attempts with pods alive that the ledger holds to be gone, or never knew. */
    Set<AttemptId> undead() {
        return undead;
    }

    Collection<LedgerReplica> replicas(AttemptId id) {
        return attempts.getOrDefault(id, Map.of()).values();
    }

    void write(ReplicaLedger ledger) {
        List<Sighting> sightings = new ArrayList<>();
        for (ReplicaId id : changed) {
            LedgerReplica r = find(id);
            if (r != null && r.seenAt() != null) {
                sightings.add(new Sighting(
                        id,
                        r.stage(),
                        r.reason(),
                        r.exitCode(),
                        r.failure(),
                        r.message(),
                        r.seenAt(),
                        r.startedAt(),
                        r.releasedAt()));
            }
        }
        ledger.seen(sightings);
    }

    private @Nullable LedgerReplica find(ReplicaId id) {
        return attempts.getOrDefault(id.attempt(), Map.of()).get(id);
    }

    private void put(LedgerReplica replica) {
        Map<ReplicaId, LedgerReplica> replicas = attempts.get(replica.id().attempt());
        if (replicas != null) {
            replicas.put(replica.id(), replica);
            changed.add(replica.id());
        }
    }

    private void noteUndead(ClusterFact.ReplicaSeen fact, Stage stage, @Nullable LedgerReplica known) {
        boolean lives = stage == Stage.PENDING || stage == Stage.PULLING || stage == Stage.RUNNING;
        boolean isNews = known == null || known.seenAt() == null || fact.at().isAfter(known.seenAt());
        if (lives && isNews) {
            undead.add(fact.replica().attempt());
        }
    }

    private static Instant notBefore(@Nullable Instant floor, Instant at) {
        return floor != null && floor.isAfter(at) ? floor : at;
    }

    private static Stage stage(ReplicaPhase phase) {
        return switch (phase) {
            case PENDING -> Stage.PENDING;
            case PULLING -> Stage.PULLING;
            case RUNNING -> Stage.RUNNING;
            case TERMINATING -> Stage.TERMINATING;
            case SUCCEEDED -> Stage.SUCCEEDED;
            case FAILED -> Stage.FAILED;
        };
    }
}
