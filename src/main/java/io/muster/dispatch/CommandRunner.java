package io.muster.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.CommandOutcome;
import io.muster.job.AttemptFailures;
import io.muster.job.Blueprint;
import io.muster.job.Blueprints;
import io.muster.job.Cause;
import io.muster.job.JobEvents;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerReader;
import io.muster.job.ReplicaLedger;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobState;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Carries out one command: says it to the cluster, and keeps what came of it. */
@Component
class CommandRunner {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);

    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

    private final ClusterGateway gateway;
    private final CommandOutbox outbox;
    private final Blueprints blueprints;
    private final AttemptSpecs specs;
    private final LedgerReader reader;
    private final ReplicaLedger replicas;
    private final AttemptFailures failures;
    private final GangSettlement settlement;
    private final JobEvents events;
    private final TransactionOperations transactions;
    private final MeterRegistry meters;
    private final Clock clock;

    CommandRunner(
            @Lazy ClusterGateway gateway,
            CommandOutbox outbox,
            Blueprints blueprints,
            AttemptSpecs specs,
            LedgerReader reader,
            ReplicaLedger replicas,
            AttemptFailures failures,
            GangSettlement settlement,
            JobEvents events,
            TransactionOperations transactions,
            MeterRegistry meters,
            Clock clock) {
        this.gateway = gateway;
        this.outbox = outbox;
        this.blueprints = blueprints;
        this.specs = specs;
        this.reader = reader;
        this.replicas = replicas;
        this.failures = failures;
        this.settlement = settlement;
        this.events = events;
        this.transactions = transactions;
        this.meters = meters;
        this.clock = clock;
    }

    /** What is to be said to the cluster, if anything. */
    private sealed interface Answer {
        record Said(CommandOutcome outcome) implements Answer {}

        record Superseded(String why) implements Answer {}
    }

    /** Never throws: what goes wrong is tried again. */
    void run(ClusterCommand command) {
        try (var job = MDC.putCloseable("job", command.attempt().job().toString());
                var attempt = MDC.putCloseable(
                        "attempt", Integer.toString(command.attempt().number()))) {
            waited(command);
            Timer.Sample sample = Timer.start(meters);
            String outcome = carryOut(command);
            sample.stop(called(command.kind(), outcome));
        }
    }

    /** Notes how long it was due before it was carried out. */
    void waited(ClusterCommand command) {
        meters.timer("muster.dispatch.wait", "kind", command.kind().name()).record(command.waited());
    }

    /** How long calls of a kind take that end so. */
    Timer called(ClusterCommand.Kind kind, String outcome) {
        return meters.timer("muster.dispatch.call", "kind", kind.name(), "outcome", outcome);
    }

    private String carryOut(ClusterCommand command) {
        try {
            Answer answer = ask(command);
            return switch (answer) {
                case Answer.Superseded s -> superseded(command, s.why());
                case Answer.Said said -> said(command, said.outcome());
            };
        } catch (RuntimeException e) {
            LOG.warn("{} of {} failed; it is tried again", command.kind(), command.attempt(), e);
            return later(command, backoff(command.tries()), e.toString());
        }
    }

    private Answer ask(ClusterCommand command) {
        return switch (command.kind()) {
            case START -> start(command);
            case SIGNAL -> signal(command);
            case STOP -> new Answer.Said(gateway.stop(command.attempt(), command.grace()));
        };
    }

    private Answer start(ClusterCommand command) {
        Optional<Blueprint> blueprint = blueprints.of(command.attempt());
        if (blueprint.isEmpty() || !awaitsStart(blueprint.get())) {
            return new Answer.Superseded("the job has moved on");
        }
        return new Answer.Said(
                switch (specs.draw(blueprint.get())) {
                    case AttemptSpecs.Drawn.Spec drawn -> gateway.start(drawn.spec());
                    case AttemptSpecs.Drawn.Impossible no ->
                        new CommandOutcome.Refused(FailureClass.ADMISSION, no.why());
                });
    }

    static boolean awaitsStart(Blueprint blueprint) {
        return blueprint.job().life().state() == JobState.STARTING
                && blueprint.job().attempt() == blueprint.attempt().id().number();
    }

    private Answer signal(ClusterCommand command) {
        boolean saves = reader.job(command.attempt().job())
                .filter(j -> j.life().state() == JobState.CHECKPOINTING
                        && j.attempt() == command.attempt().number())
                .isPresent();
        LedgerAttempt.Signal signal =
                reader.attempt(command.attempt()).map(LedgerAttempt::signal).orElse(null);
        if (!saves || signal == null) {
            return new Answer.Superseded("the job no longer saves");
        }
        return new Answer.Said(gateway.signal(
                command.attempt(), new CheckpointSignal(signal.id(), signal.thenStop(), signal.deadline())));
    }

    private String superseded(ClusterCommand command, String why) {
        transactions.executeWithoutResult(status -> {
            var job = reader.lock(Set.of(command.attempt().job()));
            boolean mine = outbox.close(command, CommandOutbox.Outcome.SUPERSEDED, why);
            // Claimed once and never said: there are no pods, so there is nothing to wait for.
            boolean neverSaid = command.kind() == ClusterCommand.Kind.START && command.tries() == 1;
            if (mine && neverSaid && !job.isEmpty()) {
                replicas.neverMade(command.attempt(), clock.instant());
                if (job.getFirst().attempt() == command.attempt().number()) {
                    settlement.settle(command.attempt(), reader.replicas(command.attempt()));
                }
            }
        });
        return "superseded";
    }

    private String said(ClusterCommand command, CommandOutcome outcome) {
        return switch (outcome) {
            case CommandOutcome.Done d -> done(command);
            case CommandOutcome.Later l -> later(command, l.delay(), l.why());
            case CommandOutcome.Refused r -> refused(command, r);
        };
    }

    private String done(ClusterCommand command) {
        done(List.of(command));
        return "done";
    }

    /** Closes what the cluster has done. */
    void done(List<ClusterCommand> commands) {
        transactions.executeWithoutResult(status -> {
            reader.lock(commands.stream().map(c -> c.attempt().job()).toList());
            List<AttemptId> told = outbox.closeDone(commands).stream()
                    .filter(c -> c.kind() != ClusterCommand.Kind.SIGNAL)
                    .map(ClusterCommand::attempt)
                    .sorted()
                    .toList();
            replicas.dispatched(told, clock.instant());
        });
    }

    private String later(ClusterCommand command, Duration delay, String why) {
        double jitter = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
        outbox.putBack(command, Duration.ofMillis((long) (delay.toMillis() * jitter)), why);
        return "later";
    }

    /** A refused stop cannot be left at that: the pods hold GPUs until they are gone. */
    private String refused(ClusterCommand command, CommandOutcome.Refused refused) {
        LOG.warn("{} of {} refused: {}", command.kind(), command.attempt(), refused.why());
        if (command.kind() == ClusterCommand.Kind.STOP) {
            return later(command, LONGEST_BACKOFF, refused.why());
        }
        transactions.executeWithoutResult(status -> {
            reader.lock(Set.of(command.attempt().job()));
            if (!outbox.close(command, CommandOutbox.Outcome.REFUSED, refused.why())) {
                return;
            }
            if (command.kind() == ClusterCommand.Kind.START) {
                failures.broke(
                        command.attempt(),
                        new AttemptFailures.Breakage(refused.failure(), null, refused.why(), null, Set.of()));
            } else {
                events.append(
                        command.attempt().job(),
                        command.attempt().number(),
                        "signal-refused",
                        Cause.system("signal-refused", Map.of("message", refused.why())));
            }
        });
        return "refused";
    }

    private static Duration backoff(int tries) {
        Duration backoff = Duration.ofMillis(500).multipliedBy(1L << Math.min(tries, 10));
        return backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF;
    }
}
