package io.muster.simulator.trace;

import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Alibaba's openb pods (Weng et al., USENIX ATC 2023): thousandths of a CPU, MiB, GPUs, thousandths of one GPU. A pod
 * that asks for a part of a GPU gets a whole one; a pod without times stands in the order of its list and runs on.
 */
final class OpenbReader implements TraceFormat.LineReader {
    private static final int WHOLE_GPU = 1000;
    private static final Duration ON_AND_ON = Duration.ofDays(3650);

    @Override
    public void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException {
        int gpus = Lines.gpus(row, "num_gpu");
        var wants = new Wants(row.whole("cpu_milli"), row.whole("memory_mib") << 20, types(row));
        var runTime = runTime(row, notes);
        if (row.count("gpu_milli") < WHOLE_GPU) {
            notes.add(new Note(row.line(), Note.Effect.CHANGED, "asks for a part of a GPU: given a whole one"));
        }
        boolean timed = !row.text("creation_time").isEmpty();
        jobs.add(new RecordedJob(
                row.line(),
                row.text("name"),
                timed ? Instant.EPOCH.plus(row.seconds("creation_time")) : Instant.EPOCH.plusSeconds(row.line()),
                runTime,
                gpus,
                wants,
                new Owner("all", "all", ""),
                (Duration) null));
    }

    private static List<String> types(Row row) {
        return Arrays.stream(row.text("gpu_spec").split("\\|", -1))
                .filter(t -> !t.isBlank())
                .toList();
    }

    private static Duration runTime(Row row, List<Note> notes) throws BadLineException {
        if (row.text("creation_time").isEmpty() || row.text("deletion_time").isEmpty()) {
            notes.add(
                    new Note(row.line(), Note.Effect.CHANGED, "has no times: comes in the order of the list, runs on"));
            return ON_AND_ON;
        }
        var life = row.seconds("deletion_time").minus(row.seconds("creation_time"));
        if (life.isNegative()) throw new BadLineException("ends before it begins");
        return Lines.runTime(row, life, notes);
    }
}
