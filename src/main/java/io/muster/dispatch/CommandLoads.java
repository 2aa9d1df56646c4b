package io.muster.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.muster.database.Sight;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.CommandOutcome;
import io.muster.job.Blueprints;
import io.muster.model.AttemptId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Carries out many commands: starts in one call and stops in one, where the cluster takes them so, with one reading of the
 * ledger before and one writing after. Whatever is not simply done goes the way of a single command.
 */
@Component
class CommandLoads {
    private static final Logger LOG = LoggerFactory.getLogger(CommandLoads.class);

    private final ClusterGateway gateway;
    private final CommandRunner runner;
    private final Blueprints blueprints;
    private final AttemptSpecs specs;
    private final MeterRegistry meters;

    CommandLoads(
            @Lazy ClusterGateway gateway,
            CommandRunner runner,
            Blueprints blueprints,
            AttemptSpecs specs,
            MeterRegistry meters) {
        this.gateway = gateway;
        this.runner = runner;
        this.blueprints = blueprints;
        this.specs = specs;
        this.meters = meters;
    }

    /** The most commands that one load had best have. */
    int most() {
        return gateway.bulk();
    }

    /** What goes wrong is tried again, one by one. */
    void run(List<ClusterCommand> load) {
        var kinds = new EnumMap<ClusterCommand.Kind, List<ClusterCommand>>(ClusterCommand.Kind.class);
        load.forEach(
                c -> kinds.computeIfAbsent(c.kind(), k -> new ArrayList<>()).add(c));
        kinds.forEach((kind, commands) -> {
            boolean single = commands.size() == 1 || kind == ClusterCommand.Kind.SIGNAL;
            (single ? commands : leftAfter(kind, commands)).forEach(runner::run);
        });
    }

    /** Commands that one call for all did not settle. */
    private List<ClusterCommand> leftAfter(ClusterCommand.Kind kind, List<ClusterCommand> commands) {
        Timer.Sample sample = Timer.start(meters);
        List<ClusterCommand> done;
        try {
            Map<AttemptId, CommandOutcome> outcomes =
                    kind == ClusterCommand.Kind.START ? start(commands) : stop(commands);
            done = commands.stream()
                    .filter(c -> outcomes.get(c.attempt()) instanceof CommandOutcome.Done)
                    .toList();
            runner.done(done);
        } catch (RuntimeException e) {
            LOG.warn("{} of {} attempts in one call failed; now one by one", kind, commands.size(), e);
            return commands;
        }
        done.forEach(runner::waited);
        sample.stop(runner.called(kind, "done"));
        var left = new ArrayList<>(commands);
        left.removeAll(done);
        return left;
    }

    /** The outcomes of those that can be drawn up and are still wanted. */
    private Map<AttemptId, CommandOutcome> start(List<ClusterCommand> commands) {
        List<AttemptSpec> wanted = specs(commands);
        return outcomes(wanted.stream().map(AttemptSpec::attempt).toList(), gateway.start(wanted));
    }

    private List<AttemptSpec> specs(List<ClusterCommand> commands) {
        // Teams, volumes and pools of all of them as they stand at one look.
        try (var sight = Sight.steady()) {
            Map<AttemptId, AttemptSpecs.Drawn> drawn = specs.draw(
                    blueprints.of(commands.stream().map(ClusterCommand::attempt).toList()).values().stream()
                            .filter(CommandRunner::awaitsStart)
                            .toList());
            var specs = new ArrayList<AttemptSpec>();
            for (ClusterCommand command : commands) {
                if (drawn.get(command.attempt()) instanceof AttemptSpecs.Drawn.Spec spec) {
                    specs.add(spec.spec());
                }
            }
            return specs;
        }
    }

    private Map<AttemptId, CommandOutcome> stop(List<ClusterCommand> commands) {
        var graces = new LinkedHashMap<AttemptId, Duration>();
        commands.forEach(c -> graces.put(c.attempt(), c.grace()));
        return outcomes(List.copyOf(graces.keySet()), gateway.stop(graces));
    }

    private static Map<AttemptId, CommandOutcome> outcomes(List<AttemptId> attempts, List<CommandOutcome> answers) {
        var outcomes = new HashMap<AttemptId, CommandOutcome>();
        for (int i = 0; i < attempts.size(); i++) {
            outcomes.put(attempts.get(i), answers.get(i));
        }
        return outcomes;
    }
}
