package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The format of our own; docs/simulator.md describes it. */
final class CsvReader implements TraceFormat.LineReader {
    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        jobs.add(new RecordedJob(
                row.line(),
                orElse(row.text("name"), "line " + row.line()),
                submitted(row),
                Lines.runTime(row, row.seconds("run_seconds"), notes),
                Lines.gpus(row, "gpus"),
                new Wants(
                        row.text("cpus").isEmpty() ? 0 : Math.round(row.number("cpus") * 1000),
                        row.text("memory_gib").isEmpty() ? 0 : Math.round(row.number("memory_gib") * (1L << 30)),
                        Arrays.stream(row.text("gpu_types").split(" ", -1))
                                .filter(t -> !t.isBlank())
                                .toList()),
                new Owner(orElse(row.text("team"), "all"), orElse(row.text("user"), "all"), row.text("kind")),
                row.text("walltime_seconds").isEmpty() ? null : row.seconds("walltime_seconds")));
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    /** A time, or seconds since the beginning of the trace. */
    private static Instant submitted(Row row) throws BadLineException {
        return row.text("submitted").contains("-")
                ? row.instant("submitted")
                : Instant.EPOCH.plus(row.seconds("submitted"));
    }
}
