package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Shockwave's traces (Zheng et al., NSDI 2023): no header, tabs, seconds; the kind is the model with its batch size. */
final class ShockwaveReader implements TraceFormat.LineReader {
    static final List<String> NAMES = List.of(
            "model",
            "command",
            "directory",
            "steps argument",
            "needs data",
            "steps",
            "gpus",
            "mode",
            "weight",
            "objective",
            "duration",
            "arrival");
    static final int COLUMNS = NAMES.size();

    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        jobs.add(new RecordedJob(
                row.line(),
                "job " + row.line(),
                Instant.EPOCH.plus(row.seconds("arrival")),
                Lines.runTime(row, row.seconds("duration"), notes),
                Lines.gpus(row, "gpus"),
                Wants.GPUS_ONLY,
                new Owner("all", "all", row.text("model")),
                (Duration) null));
    }
}
