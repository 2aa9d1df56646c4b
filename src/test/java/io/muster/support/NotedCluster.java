package io.muster.support;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.CommandOutcome;
import io.muster.model.AttemptId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A cluster that does nothing but note what it is told, and answers as it is bidden. */
public final class NotedCluster implements ClusterGateway {
    private final List<String> told = new ArrayList<>();
    private final List<AttemptSpec> specs = new ArrayList<>();
    private final Deque<CommandOutcome> answers = new ArrayDeque<>();
    private volatile boolean inView = true;

    /** Whether it is heard from. */
    public void inView(boolean now) {
        inView = now;
    }

    /** The next call gets this answer; without one, calls are done. */
    public synchronized void answer(CommandOutcome outcome) {
        answers.add(outcome);
    }

    public synchronized List<String> told() {
        return List.copyOf(told);
    }

    public synchronized List<AttemptSpec> specs() {
        return List.copyOf(specs);
    }

    @Override
    public synchronized CommandOutcome start(AttemptSpec attempt) {
        specs.add(attempt);
        return note("start " + attempt.attempt());
    }

    @Override
    public synchronized CommandOutcome signal(AttemptId attempt, CheckpointSignal signal) {
        return note("signal " + attempt);
    }

    @Override
    public synchronized CommandOutcome stop(AttemptId attempt, Duration grace) {
        return note("stop " + attempt + " " + grace.toSeconds() + "s");
    }

    private CommandOutcome note(String call) {
        told.add(call);
        CommandOutcome answer = answers.poll();
        return answer == null ? new CommandOutcome.Done() : answer;
    }

    @Override
    public ClusterHealth health() {
        return new ClusterHealth(inView, null, "noted");
    }
}
