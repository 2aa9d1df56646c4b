package io.muster.simulator.scorecard;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.simulator.engine.Run;
import io.muster.simulator.trace.Workload.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What a run was like.
 *
 * @param waits life minus run time, in seconds
 * @param lives from submission to end (job completion time), in seconds
 * @param fairness finish-time fairness over the jobs
 * @param byTeam the same by team, in order of name
 * @param bySize by GPUs asked, in classes of powers of two
 * @param notes what of the trace was left out or changed
 */
public record Scorecard(
        Setting setting,
        Totals totals,
        Spread waits,
        Spread lives,
        Fairness fairness,
        List<Part> byTeam,
        List<Part> bySize,
        Curves curves,
        List<Tally> notes) {

    /** What was run: names, never paths. */
    public record Setting(
            String policy, String trace, String format, String fleet, int nodes, int gpus, double restartSeconds) {}

    /** Finish-time fairness: the worst, and the share of jobs that were treated unfairly. */
    public record Fairness(double worstRho, double unfairShare, Spread rho) {}

    /** A part of the jobs. */
    public record Part(String name, Spread waits, Spread lives, Spread rho, int preemptions, double gpuHours) {}

    public Scorecard {
        byTeam = List.copyOf(byTeam);
        bySize = List.copyOf(bySize);
        notes = List.copyOf(notes);
    }

    public static Scorecard of(Setting setting, Run run, List<Tally> notes) {
        var outcomes = outcomes(run);
        var rho = spread(outcomes, JobOutcome::rho);
        double unfair = outcomes.stream().filter(o -> o.rho() > 1 + 1e-9).count();
        return new Scorecard(
                setting,
                Totals.of(run),
                spread(outcomes, JobOutcome::waitSeconds),
                spread(outcomes, JobOutcome::lifeSeconds),
                new Fairness(rho.max(), outcomes.isEmpty() ? 0 : Spread.round(unfair / outcomes.size()), rho),
                parts(outcomes, o -> run.site().teams().get(o.job().team()).value()),
                parts(outcomes, o -> size(o.gpus())),
                Curves.of(run, outcomes),
                notes);
    }

    static List<JobOutcome> outcomes(Run run) {
        var contention = new Contention(run.jobs(), run.site().gpus());
        return run.jobs().stream()
                .filter(job -> job.ended() != NEVER)
                .map(job -> JobOutcome.of(job, contention))
                .toList();
    }

    private static List<Part> parts(List<JobOutcome> outcomes, Function<JobOutcome, String> name) {
        var groups = new TreeMap<String, List<JobOutcome>>();
        outcomes.forEach(o ->
                groups.computeIfAbsent(name.apply(o), k -> new ArrayList<>()).add(o));
        var parts = new ArrayList<Part>();
        groups.forEach((key, group) -> parts.add(new Part(
                key.strip(),
                spread(group, JobOutcome::waitSeconds),
                spread(group, JobOutcome::lifeSeconds),
                spread(group, JobOutcome::rho),
                group.stream().mapToInt(o -> o.job().preemptions()).sum(),
                Spread.round(group.stream()
                        .mapToDouble(o -> (double) o.job().work() * o.gpus() / 3_600_000)
                        .sum()))));
        return parts;
    }

    private static Spread spread(List<JobOutcome> outcomes, ToDoubleFunction<JobOutcome> value) {
        return Spread.of(outcomes.stream().mapToDouble(value).toArray());
    }

    /** Padded, so that the order of names is the order of sizes. */
    private static String size(int gpus) {
        int top = Integer.highestOneBit(Math.max(1, gpus - 1)) * 2;
        if (gpus <= 1) return String.format("%12s", "1 GPU");
        int from = top / 2 + 1;
        return String.format("%12s", from == gpus && gpus == top ? gpus + " GPUs" : from + "-" + top + " GPUs");
    }
}
