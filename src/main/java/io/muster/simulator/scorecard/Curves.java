package io.muster.simulator.scorecard;

import io.muster.simulator.engine.Run;
import io.muster.simulator.engine.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Means over equal spans of a run.
 *
 * @param spanSeconds the length of one span
 * @param used GPUs in use
 * @param waitingJobs jobs that wait
 * @param waitingGpus GPUs that they ask for
 * @param broken free GPUs of nodes that are used in part
 * @param lost GPU-hours lost to restarts and saves by all jobs that have ended by then
 * @param worstRho the worst finish-time fairness of the jobs that end in a span; 0: none ends
 * @param teams GPUs of each team, by the team's number
 */
public record Curves(
        double spanSeconds,
        List<Double> used,
        List<Double> waitingJobs,
        List<Double> waitingGpus,
        List<Double> broken,
        List<Double> lost,
        List<Double> worstRho,
        List<List<Double>> teams) {
    private static final int SPANS = 240;

    public Curves {
        used = List.copyOf(used);
        waitingJobs = List.copyOf(waitingJobs);
        waitingGpus = List.copyOf(waitingGpus);
        broken = List.copyOf(broken);
        lost = List.copyOf(lost);
        worstRho = List.copyOf(worstRho);
        teams = List.copyOf(teams);
    }

    static Curves of(Run run, List<JobOutcome> outcomes) {
        long span = Math.max(1, (run.to() - run.from() + SPANS - 1) / SPANS);
        var t = run.timeline();
        var teams = new ArrayList<List<Double>>();
        for (int i = 0; i < t.teams(); i++) {
            int team = i;
            teams.add(means(run, span, row -> t.teamGpus(row, team)));
        }
        return new Curves(
                span / 1000.0,
                means(run, span, t::usedGpus),
                means(run, span, t::waitingJobs),
                means(run, span, t::waitingGpus),
                means(run, span, t::brokenGpus),
                lost(run, span, outcomes),
                worstRho(run, span, outcomes),
                teams);
    }

    private static int endOf(JobOutcome outcome, Run run, long span) {
        return (int) Math.min(SPANS - 1, (outcome.job().ended() - run.from()) / span);
    }

    private static List<Double> lost(Run run, long span, List<JobOutcome> outcomes) {
        var lost = new double[SPANS];
        for (var outcome : outcomes) lost[endOf(outcome, run, span)] += outcome.lostGpuSeconds() / 3600;
        var sofar = new ArrayList<Double>(SPANS);
        double sum = 0;
        for (double more : lost) sofar.add(Spread.round(sum += more));
        return sofar;
    }

    private static List<Double> worstRho(Run run, long span, List<JobOutcome> outcomes) {
        var worst = new double[SPANS];
        for (var outcome : outcomes) {
            int at = endOf(outcome, run, span);
            worst[at] = Math.max(worst[at], outcome.rho());
        }
        return Arrays.stream(worst).mapToObj(Spread::round).toList();
    }

    private interface Amount {
        int at(int row);
    }

    private static List<Double> means(Run run, long span, Amount amount) {
        var sums = new double[SPANS];
        Timeline t = run.timeline();
        for (int row = 0; row + 1 < t.size(); row++) {
            double value = amount.at(row);
            long from = t.at(row) - run.from();
            long to = t.at(row + 1) - run.from();
            while (value != 0 && from < to) {
                int i = (int) (from / span);
                long end = Math.min(to, (i + 1) * span);
                sums[i] += value * (end - from);
                from = end;
            }
        }
        var means = new ArrayList<Double>(SPANS);
        for (double sum : sums) means.add(Spread.round(sum / span));
        return means;
    }
}
