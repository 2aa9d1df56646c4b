package io.muster.cycle;

import io.muster.dispatch.ClusterInView;
import io.muster.inventory.Node;
import io.muster.job.AttemptFailures;
import io.muster.job.Cause;
import io.muster.job.JobEvents;
import io.muster.job.LedgerReader;
import io.muster.job.Silence;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.policy.HangAction;
import io.muster.policy.PolicyValues;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Tells of programs that fell silent, and restarts them where policy says so. Silence counts only while it could have
 * been broken: not before this server led, nor while the cluster or a node of the job was out of sight.
 */
@Component
class Hangs {
    private static final Logger LOG = LoggerFactory.getLogger(Hangs.class);

    /** It is called about once a minute; a gap this long was a sleep, in which nobody listened. Real time. */
    private static final Duration ASLEEP = Duration.ofMinutes(2);

    private final Silence silence;
    private final LedgerReader ledger;
    private final AttemptFailures failures;
    private final JobEvents events;
    private final ClusterInView cluster;
    private final Leadership leadership;
    private final TransactionOperations transactions;
    private final CycleMeters meters;
    private final Map<AttemptId, Instant> inSight = new HashMap<>();
    private @Nullable Instant listeningSince;
    private long epoch;
    private long lastNanos;

    Hangs(
            Silence silence,
            LedgerReader ledger,
            AttemptFailures failures,
            JobEvents events,
            ClusterInView cluster,
            Leadership leadership,
            TransactionOperations transactions,
            CycleMeters meters) {
        this.silence = silence;
        this.ledger = ledger;
        this.failures = failures;
        this.events = events;
        this.cluster = cluster;
        this.leadership = leadership;
        this.transactions = transactions;
        this.meters = meters;
    }

    /** Looks at every running program; each that is silent is a transaction of its own, begun by the fence. */
    void keep(Collection<Node> nodes, PolicyValues policy, Instant now) {
        Instant since = listening(leadership.believed(), now);
        if (since == null || policy.hangAction() == HangAction.NEVER) {
            meters.hung(0);
            return;
        }
        List<Silence.Silent> silent = silence.since(now.minus(policy.hangTimeout()));
        Set<NodeId> blind = nodes.stream()
                .filter(node -> !node.ready() || !node.reachable())
                .map(Node::id)
                .collect(Collectors.toSet());
        inSight.keySet().retainAll(silent.stream().map(Silence.Silent::attempt).collect(Collectors.toSet()));
        int hung = 0;
        for (Silence.Silent program : silent) {
            hung += judge(program, since, blind, policy, now) ? 1 : 0;
        }
        meters.hung(hung);
    }

    /** Since when nothing that was said was missed, or null: the cluster is out of sight. */
    private @Nullable Instant listening(long leadingUnder, Instant now) {
        boolean slept = System.nanoTime() - lastNanos > ASLEEP.toNanos();
        lastNanos = System.nanoTime();
        if (epoch != leadingUnder || slept) {
            epoch = leadingUnder;
            listeningSince = null;
            inSight.clear();
        }
        if (!cluster.isNow()) {
            listeningSince = null;
        } else if (listeningSince == null) {
            listeningSince = now;
        }
        return listeningSince;
    }

    /** @return whether it is taken to hang */
    private boolean judge(
            Silence.Silent program, Instant listening, Set<NodeId> blind, PolicyValues policy, Instant now) {
        if (hasBlindNode(program.attempt(), blind)) {
            inSight.put(program.attempt(), now);
            return program.suspectedSince() != null;
        }
        Instant seen = inSight.getOrDefault(program.attempt(), Instant.MIN);
        Instant counts = latest(program.heardAt(), listening, seen);
        boolean silent = !counts.plus(policy.hangTimeout()).isAfter(now);
        if (program.suspectedSince() != null && program.heardAt().isAfter(program.suspectedSince())) {
            inFence(program, () -> clear(program));
            return false;
        }
        if (silent && program.suspectedSince() == null) {
            inFence(program, () -> tell(program, policy, now));
        }
        if (silent && policy.hangAction() == HangAction.RESTART) {
            inFence(program, () -> restart(program, policy));
            return false;
        }
        return silent || program.suspectedSince() != null;
    }

    /** The job first, as everybody does who writes to a job and its attempt. */
    private void inFence(Silence.Silent program, Runnable change) {
        transactions.executeWithoutResult(status -> {
            leadership.fence();
            ledger.lock(Set.of(program.attempt().job()));
            change.run();
        });
    }

    private void clear(Silence.Silent program) {
        silence.suspect(program.attempt(), null);
        events.append(program.attempt().job(), program.attempt().number(), "hang-over", Cause.system("heard-again"));
    }

    private boolean hasBlindNode(AttemptId attempt, Set<NodeId> blind) {
        return !blind.isEmpty()
                && ledger.replicas(attempt).stream().anyMatch(replica -> blind.contains(replica.node()));
    }

    private void tell(Silence.Silent program, PolicyValues policy, Instant now) {
        AttemptId attempt = program.attempt();
        silence.suspect(attempt, program.heardAt());
        var data = new TreeMap<String, Object>();
        data.put("heardAt", program.heardAt().toString());
        data.put("silentSeconds", Duration.between(program.heardAt(), now).toSeconds());
        data.put("then", policy.hangAction() == HangAction.RESTART ? "restart" : "alert");
        if (program.step() != null) {
            data.put("step", program.step());
        }
        silence.straggler(attempt).ifPresent(replica -> data.put("replica", replica.podName()));
        events.append(attempt.job(), attempt.number(), "hang-suspected", Cause.system("hang-suspected", data));
        meters.hangSuspected();
        LOG.warn("Attempt {} was last heard at {}: it may hang", attempt, program.heardAt());
    }

    private void restart(Silence.Silent program, PolicyValues policy) {
        Optional<ReplicaId> straggler = silence.straggler(program.attempt());
        String message = "no progress and no output for " + policy.hangTimeout().toSeconds() + " s";
        failures.broke(
                program.attempt(),
                new AttemptFailures.Breakage(FailureClass.HANG, null, message, straggler.orElse(null), Set.of()));
        meters.hangRestarted();
    }

    private static Instant latest(Instant one, Instant two, Instant three) {
        Instant later = one.isAfter(two) ? one : two;
        return later.isAfter(three) ? later : three;
    }
}
