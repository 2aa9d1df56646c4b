package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhillyTraceTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final String HEADER = "timestamp,duration,num_gpus,gpu_time,cluster";

    @Test
    void jobsComeInTheOrderOfTheirSubmission() {
        var jobs = read(
                "2017-10-09 07:01:55,66.0,1,66.0,11cb48",
                "2017-10-09 06:13:03,2951.0,8,2951.0,6214e9",
                "2017-10-09 06:13:03,10.5,2,21.0,7f04ca");
        assertThat(jobs).extracting(TracedJob::team).containsExactly("6214e9", "7f04ca", "11cb48");
        assertThat(jobs.getFirst().submittedAt()).isEqualTo(Instant.parse("2017-10-09T06:13:03Z"));
        assertThat(jobs.getFirst().gpus()).isEqualTo(8);
        assertThat(jobs.get(1).duration()).isEqualTo(Duration.ofMillis(10_500));
    }

    @Test
    void runTimesAreCutAtADayAndLastASecond() {
        var jobs = read("2017-10-09 07:01:55,860662.0,1,860662.0,a", "2017-10-09 07:01:56,0.0,1,0.0,a");
        assertThat(jobs).extracting(TracedJob::duration).containsExactly(DAY, Duration.ofSeconds(1));
    }

    @Test
    void onlyTheFirstAreTaken() {
        var lines = List.of(HEADER, "2017-10-09 07:01:55,6,1,6,a", "2017-10-08 07:01:55,6,1,6,b");
        assertThat(PhillyTrace.read(lines, 1, DAY)).extracting(TracedJob::team).containsExactly("b");
    }

    @Test
    void aLineThatMakesNoSenseIsNamed() {
        assertThatThrownBy(() -> read("2017-10-09 07:01:55,6,1,6,a", "yesterday,6,1,6,a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 3: ");
        assertThatThrownBy(() -> read("2017-10-09 07:01:55,6,1")).hasMessageStartingWith("line 2: 3 columns");
        assertThatThrownBy(() -> PhillyTrace.read(List.of("a,b"), 1, DAY)).hasMessageStartingWith("line 1: ");
    }

    @Test
    void theRealTraceIsRead() throws IOException {
        var file = Path.of("../shared/traces/philly/philly.csv");
        assumeTrue(Files.exists(file), "the Philly trace is not here");
        var jobs = PhillyTrace.read(Files.readAllLines(file), 1_000, DAY);
        assertThat(jobs).hasSize(1_000).isSortedAccordingTo(Comparator.comparing(TracedJob::submittedAt));
        assertThat(jobs).allMatch(job -> job.gpus() > 0 && job.duration().compareTo(DAY) <= 0);
        assertThat(jobs.stream().map(TracedJob::team).distinct()).hasSizeGreaterThan(5);
    }

    private static List<TracedJob> read(String... lines) {
        var all = new ArrayList<>(List.of(HEADER));
        all.addAll(List.of(lines));
        return PhillyTrace.read(all, 1_000, DAY);
    }
}
