package io.muster.simulator.scorecard;

import io.muster.simulator.engine.Run;
import io.muster.simulator.engine.SimulatedJob;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;

/** One line for each job, in the order of submission. */
public final class JobTable {
    private static final String HEADER = "line,name,team,gpus,submitted,first_start,ended,run_seconds,wait_seconds,"
            + "life_seconds,attempts,preemptions,lost_gpu_seconds,rho\n";

    private JobTable() {}

    public static void write(Run run, Appendable out) throws IOException {
        var byJob = new HashMap<SimulatedJob, JobOutcome>();
        Scorecard.outcomes(run).forEach(o -> byJob.put(o.job(), o));
        out.append(HEADER);
        for (var job : run.jobs()) {
            var o = byJob.get(job);
            out.append(Integer.toString(job.recorded().line())).append(',');
            out.append(quoted(job.recorded().name())).append(',');
            out.append(run.site().teams().get(job.team()).value()).append(',');
            out.append(Integer.toString(job.gpus())).append(',');
            out.append(JobOutcome.time(job.submitted())).append(',');
            out.append(JobOutcome.time(job.firstStart())).append(',');
            out.append(JobOutcome.time(job.ended())).append(',');
            out.append(number(job.work() / 1000.0)).append(',');
            out.append(o == null ? "" : number(o.waitSeconds())).append(',');
            out.append(o == null ? "" : number(o.lifeSeconds())).append(',');
            out.append(Integer.toString(job.attempts())).append(',');
            out.append(Integer.toString(job.preemptions())).append(',');
            out.append(number(job.lost() / 1000.0 * job.gpus())).append(',');
            out.append(o == null ? "" : String.format(Locale.ROOT, "%.4f", o.rho()))
                    .append('\n');
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    /** Quoted where it must be; what a spreadsheet would take for a formula gets an apostrophe before it. */
    private static String quoted(String name) {
        String safe = name.matches("[=+@\\-\\t].*") ? "'" + name : name;
        return safe.matches("[A-Za-z0-9_. -]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
