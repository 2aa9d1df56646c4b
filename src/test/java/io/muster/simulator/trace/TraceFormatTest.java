package io.muster.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.simulator.trace.Note.Effect;
import io.muster.simulator.trace.RecordedJob.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFormatTest {
    private static final Path TRACES = Path.of("../shared/traces");

    @Test
    void phillyJobsComeInTheOrderOfTheirSubmission() throws IOException {
        var read = read("philly.csv", TraceFormat.PHILLY);
        assertThat(read.jobs()).extracting(RecordedJob::line).containsExactly(3, 4, 5, 2);
        assertThat(read.jobs().getFirst().submittedAt()).isEqualTo(Instant.parse("2017-10-09T06:13:03Z"));
        assertThat(read.jobs().getFirst().owner().team()).isEqualTo("labb");
        assertThat(read.jobs()).extracting(RecordedJob::gpus).containsExactly(8, 12, 1, 1);
        assertThat(read.jobs().get(1).runTime()).isEqualTo(Duration.ofMillis(10_500));
    }

    @Test
    void whatCannotBeMappedIsSaidWithItsLine() throws IOException {
        assertThat(read("philly.csv", TraceFormat.PHILLY).notes())
                .extracting(Note::line, Note::effect, Note::why)
                .containsExactly(
                        tuple(5, Effect.CHANGED, "ran for less than a second: counted as one"),
                        tuple(6, Effect.LEFT_OUT, "asks for no GPU"),
                        tuple(7, Effect.LEFT_OUT, "timestamp is not a time such as 2026-11-30T12:00:00"),
                        tuple(8, Effect.LEFT_OUT, "not 5 columns"));
    }

    @Test
    void slurmsOddLinesAreReadOrNamed() {
        var read = TraceFormat.SACCT.read(List.of(
                "JobID|JobName|User|Account|Submit|Elapsed|Timelimit|State|AllocTRES",
                "101_1|a|u|acc|2026-01-01T00:00:10|00:10:00|UNLIMITED|CANCELLED by 1001|cpu=8,gres/gpu=2",
                "101_[2-9%2]|a|u|acc|2026-01-01T00:00:10|00:00:00|Partition_Limit|PENDING|",
                "102+0|het|u|acc|2026-01-01T00:00:10|1-00:10:00|10:00|TIMEOUT|cpu=8,gres/gpu=2",
                "102+0.extern|x|u|acc|2026-01-01T00:00:10|1-00:10:00||TIMEOUT|cpu=8,gres/gpu=2",
                "103|x|u|acc|Unknown|00:00:05|1:00|NODE_FAIL|cpu=8,gres/gpu=2",
                "104|x|u|acc|2026-01-01T00:00:10|00:00:05|1:00|FAILED|cpu=99999999999999999,gres/gpu=2",
                "105|x|u|acc|2026-01-01T00:00:10|00:00:05|1:00|FAILED|mem=99999999P,gres/gpu=2"));
        assertThat(read.jobs()).extracting(RecordedJob::name).containsExactly("101_1", "102+0");
        assertThat(read.notes())
                .extracting(Note::line, Note::effect, Note::why)
                .containsExactly(
                        tuple(3, Effect.LEFT_OUT, "no GPU was allocated"),
                        tuple(5, Effect.LEFT_OUT, "is a step of a job, not a job"),
                        tuple(6, Effect.LEFT_OUT, "Submit is not a time such as 2026-11-30T12:00:00"),
                        tuple(7, Effect.LEFT_OUT, "cpu is more than any machine has"),
                        tuple(8, Effect.LEFT_OUT, "mem is more than any machine has"));
    }

    @Test
    void muriRunsAsLongAsItsIterations() throws IOException {
        var read = read("muri.csv", TraceFormat.MURI);
        var job = read.jobs().getFirst();
        assertThat(job.runTime()).isEqualTo(Duration.ofSeconds(250));
        assertThat(job.submittedAt()).isEqualTo(Instant.ofEpochMilli(1500));
        assertThat(job.owner().kind()).isEqualTo("vgg16");
        assertThat(read.notes()).containsExactly(new Note(3, Effect.LEFT_OUT, "iterations is not a whole number"));
    }

    @Test
    void shockwaveHasNoHeader() throws IOException {
        var job = read("shockwave.trace", TraceFormat.SHOCKWAVE).jobs().getFirst();
        assertThat(job.line()).isEqualTo(1);
        assertThat(job.gpus()).isEqualTo(2);
        assertThat(job.runTime()).isEqualTo(Duration.ofSeconds(1418));
        assertThat(job.submittedAt()).isEqualTo(Instant.ofEpochSecond(55));
    }

    @Test
    void aPartOfAGpuIsRoundedUpAndSaid() throws IOException {
        var read = read("openb.csv", TraceFormat.OPENB);
        assertThat(read.jobs()).extracting(RecordedJob::name).containsExactly("pod-b", "pod-d", "pod-a");
        assertThat(read.jobs()).extracting(RecordedJob::gpus).containsExactly(8, 1, 1);
        assertThat(read.jobs().getFirst().wants().gpuTypes()).containsExactly("V100M16", "V100M32");
        assertThat(read.jobs().getFirst().wants().memoryBytes()).isEqualTo(12288L << 20);
        assertThat(read.notes())
                .extracting(Note::line, Note::why)
                .containsExactly(
                        tuple(2, "asks for a part of a GPU: given a whole one"),
                        tuple(4, "asks for no GPU"),
                        tuple(5, "has no times: comes in the order of the list, runs on"));
    }

    @Test
    void slurmStepsAndJobsWithoutGpuAreLeftOut() throws IOException {
        var read = read("sacct.txt", TraceFormat.SACCT);
        assertThat(read.jobs()).extracting(RecordedJob::name).containsExactly("102_3", "101", "104");
        assertThat(read.notes())
                .extracting(Note::line, Note::effect, Note::why)
                .containsExactly(
                        tuple(3, Effect.LEFT_OUT, "is a step of a job, not a job"),
                        tuple(4, Effect.CHANGED, "still ran: ends where its record ends"),
                        tuple(5, Effect.LEFT_OUT, "no GPU was allocated"),
                        tuple(6, Effect.CHANGED, "Timelimit is no length of time: none is assumed"));
    }

    @Test
    void slurmLengthsAndAmountsAreRead() throws IOException {
        var jobs = read("sacct.txt", TraceFormat.SACCT).jobs();
        var big = jobs.get(1);
        assertThat(big.gpus()).isEqualTo(8);
        assertThat(big.runTime()).isEqualTo(Duration.parse("P1DT2H3M4S"));
        assertThat(big.walltime()).isEqualTo(Duration.ofDays(2));
        assertThat(big.wants()).isEqualTo(new RecordedJob.Wants(64_000, 512L << 30, List.of("h100")));
        assertThat(big.owner()).isEqualTo(new Owner("vision", "ada", "train, big"));
        assertThat(jobs.getFirst().walltime()).isNull();
        assertThat(jobs.get(2).runTime()).isEqualTo(Duration.ofSeconds(330));
        assertThat(jobs.get(2).wants().memoryBytes()).isEqualTo(3L << 29);
        assertThat(jobs.get(2).owner().team()).isEqualTo("none");
    }

    @Test
    void ourOwnFormatLeavesOutWhatItMay() throws IOException {
        var read = read("own.csv", TraceFormat.CSV);
        var full = read.jobs().getLast();
        assertThat(full.owner()).isEqualTo(new Owner("vision", "ada", "bert, large"));
        assertThat(full.walltime()).isEqualTo(Duration.ofHours(2));
        assertThat(full.wants()).isEqualTo(new RecordedJob.Wants(32_000, 256L << 30, List.of("H100", "A100")));
        assertThat(read.jobs().getFirst().owner()).isEqualTo(new Owner("all", "all", ""));
        assertThat(read.jobs().get(1).wants()).isEqualTo(new RecordedJob.Wants(500, 3L << 29, List.of()));
        assertThat(read.notes()).containsExactly(new Note(5, Effect.LEFT_OUT, "run_seconds is not a number"));
    }

    @Test
    void causesAreCountedWithTheirFirstLines() {
        var notes = List.of(
                new Note(9, Effect.LEFT_OUT, "a"),
                new Note(3, Effect.LEFT_OUT, "b"),
                new Note(4, Effect.LEFT_OUT, "b"));
        assertThat(new Workload("csv", List.of(), notes).tallies(1))
                .containsExactly(
                        new Workload.Tally(Effect.LEFT_OUT, "b", 2, List.of(3)),
                        new Workload.Tally(Effect.LEFT_OUT, "a", 1, List.of(9)));
    }

    @Test
    void anotherFileIsRefusedAtItsFirstLine() {
        assertThatThrownBy(() -> TraceFormat.of(List.of("a,b")))
                .isInstanceOf(UnreadableTraceException.class)
                .hasMessageStartingWith("line 1: ");
        assertThatThrownBy(() -> TraceFormat.MURI.read(List.of("a,b")))
                .isInstanceOf(UnreadableTraceException.class)
                .hasMessageContaining("iteration_time");
        assertThatThrownBy(() -> TraceFormat.of(List.of())).hasMessage("the trace is empty");
    }

    @Test
    void twoColumnsOfOneNameAreRefused() {
        assertThatThrownBy(() -> TraceFormat.CSV.read(List.of("submitted,run_seconds,gpus,gpus")))
                .hasMessage("line 1: two columns are called gpus");
    }

    @ParameterizedTest
    @CsvSource({
        "philly/philly.csv,PHILLY,82247,0,0",
        "muri/trace1.csv,MURI,1494,0,0",
        "muri/trace3.csv,MURI,992,0,0",
        "shockwave/120.trace,SHOCKWAVE,120,0,0",
        "openb/openb_pod_list_default.csv,OPENB,7064,1088,3000",
        "openb/openb_pod_list_gpuspec33.csv,OPENB,7064,1088,3000",
        "openb/openb_pod_list_multigpu20.csv,OPENB,7236,1088,3000",
    })
    void realTracesAreReadToTheLastLine(String file, TraceFormat format, int jobs, int leastLeftOut, int leastChanged)
            throws IOException {
        var path = TRACES.resolve(file);
        assumeTrue(Files.exists(path), "the trace is not here: expected " + path.toAbsolutePath());
        var lines = Files.readAllLines(path);
        assertThat(TraceFormat.of(lines)).isEqualTo(format);
        var read = format.read(lines);
        long header = format == TraceFormat.SHOCKWAVE ? 0 : 1;
        long leftOut =
                read.notes().stream().filter(n -> n.effect() == Effect.LEFT_OUT).count();
        long changed = read.notes().size() - leftOut;
        assertThat(read.jobs().size() + leftOut)
                .isEqualTo(lines.stream().filter(l -> !l.isBlank()).count() - header);
        assertThat(read.jobs().size()).isEqualTo(jobs);
        assertThat(leftOut).isGreaterThanOrEqualTo(leastLeftOut);
        assertThat(changed).isGreaterThanOrEqualTo(leastChanged);
    }

    private static Workload read(String file, TraceFormat format) throws IOException {
        var lines = Files.readAllLines(Path.of("src/test/resources/traces", file));
        assertThat(TraceFormat.of(lines)).isEqualTo(format);
        return format.read(lines);
    }
}
