package io.muster.simulator.policy;

import static io.muster.simulator.engine.Workloads.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.simulator.engine.Costs;
import io.muster.simulator.engine.Run;
import io.muster.simulator.engine.Workloads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferencesTest {
    private static final Costs FREE = Costs.SHIPPED.withRestart(Duration.ZERO);

    @Test
    void strictFifoLetsNobodyPass() {
        var run = run("fifo-strict", workload().job(0, 100, 4).job(1, 100, 8).job(2, 10, 1));
        assertThat(starts(run)).containsExactly(0L, 100L, 200L);
    }

    @Test
    void skippingFifoLetsWhoeverFitsPass() {
        var run = run("fifo-skip", workload().job(0, 100, 4).job(1, 100, 8).job(2, 500, 1));
        assertThat(starts(run)).containsExactly(0L, 502L, 2L);
    }

    @Test
    void backfillNeverDelaysTheFirstBlockedJob() {
        var run = run(
                "fifo-backfill",
                workload().job(0, 100, 4).job(1, 100, 8).job(2, 500, 1).job(3, 90, 1));
        assertThat(starts(run)).containsExactly(0L, 100L, 200L, 3L);
    }

    @Test
    void shortestJobGoesFirstOnceTheRunningOneEnds() {
        var run = run("sjf", workload().job(0, 100, 8).job(1, 50, 8).job(2, 10, 8));
        assertThat(starts(run)).containsExactly(0L, 110L, 100L);
        assertThat(run.jobs()).allMatch(job -> job.preemptions() == 0);
    }

    @Test
    void shortestRemainingPreempts() {
        var run = run("srtf", workload().job(0, 100, 8).job(1, 10, 8));
        assertThat(starts(run)).containsExactly(0L, 1L);
        assertThat(ends(run)).containsExactly(110L, 11L);
    }

    @Test
    void remainingServiceCountsGpus() {
        // 60 s on 1 GPU are less than 10 s on 8, so the larger one waits.
        var run = run("srsf", workload().job(0, 60, 1).job(1, 10, 8));
        assertThat(starts(run)).containsExactly(0L, 60L);
        assertThat(starts(run("srtf", workload().job(0, 60, 1).job(1, 10, 8)))).containsExactly(0L, 1L);
    }

    @Test
    void tiresiasLowersWhoeverHadMuch() {
        // 3,250 GPU-seconds are reached after 406.25 s on 8 GPUs.
        var run = run("tiresias", workload().job(0, 1000, 8).job(1, 100, 8));
        assertThat(starts(run)).containsExactly(0L, 406L);
        assertThat(ends(run)).containsExactly(1100L, 506L);
    }

    @Test
    void themisServesTheWorstTreatedAfterEachLease() {
        var run = run("themis", workload().job(0, 3000, 8).job(1, 300, 8));
        assertThat(starts(run)).containsExactly(0L, 600L);
        assertThat(ends(run)).containsExactly(3300L, 900L);
    }

    @Test
    void drfServesTheTeamThatHoldsLeast() {
        var run = run(
                "drf",
                workload()
                        .job("a", 0, 100, 4)
                        .job("b", 0, 100, 4)
                        .job("a", 1, 50, 4)
                        .job("a", 2, 50, 4)
                        .job("b", 3, 50, 4));
        assertThat(starts(run)).containsExactly(0L, 0L, 100L, 150L, 100L);
    }

    @Test
    void anUnknownPolicyIsRefused() {
        assertThatThrownBy(() -> Policies.of("magic", 1)).hasMessageContaining("magic");
        assertThat(Policies.names()).contains("muster", "srsf");
    }

    private static Run run(String policy, Workloads workload) {
        return workload.run(1, Policies.of(policy, 2), FREE);
    }

    private static List<Long> starts(Run run) {
        return run.jobs().stream().map(job -> job.firstStart() / 1000).toList();
    }

    private static List<Long> ends(Run run) {
        return run.jobs().stream().map(job -> job.ended() / 1000).toList();
    }
}
