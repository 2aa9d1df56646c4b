package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.time.Duration;
import java.util.List;

/** Microsoft's Philly cluster (Jeon et al., USENIX ATC 2019): local time, seconds, GPUs, virtual cluster as team. */
final class PhillyReader implements TraceFormat.LineReader {
    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        var runTime = Lines.runTime(row, row.seconds("duration"), notes);
        int gpus = Lines.gpus(row, "num_gpus");
        String team = row.text("cluster");
        jobs.add(new RecordedJob(
                row.line(),
                "line " + row.line(),
                row.instant("timestamp"),
                runTime,
                gpus,
                Wants.GPUS_ONLY,
                new Owner(team, team, ""),
                (Duration) null));
    }
}
