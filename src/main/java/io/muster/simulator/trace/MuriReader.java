package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Muri's traces (Zhao et al., SIGCOMM 2022): submit time in ms, run time as iterations of so many ms, model. */
final class MuriReader implements TraceFormat.LineReader {
    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        long millis;
        try {
            millis = Math.multiplyExact(row.whole("iterations"), row.whole("iteration_time"));
        } catch (ArithmeticException e) {
            throw new BadLineException("iterations x iteration_time is too long");
        }
        if (millis < 0) throw new BadLineException("iterations x iteration_time is negative");
        jobs.add(new RecordedJob(
                row.line(),
                row.text("job_id"),
                Instant.ofEpochMilli(row.whole("submit_time")),
                Lines.runTime(row, Duration.ofMillis(millis), notes),
                Lines.gpus(row, "num_gpu"),
                Wants.GPUS_ONLY,
                new Owner("all", "all", row.text("model_name")),
                (Duration) null));
    }
}
