package io.muster.simulator.engine;

import static io.muster.simulator.engine.Workloads.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobState;
import io.muster.scheduling.plan.Decision;
import io.muster.simulator.policy.Policies;
import io.muster.simulator.scorecard.JobTable;
import io.muster.simulator.scorecard.Json;
import io.muster.simulator.scorecard.Page;
import io.muster.simulator.scorecard.Scorecard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
    @Test
    void preemptedJobKeepsItsWorkAndPaysForTheRestart() {
        var run = workload().job(0, 1000, 8).job(100, 10, 8).run(1, Policies.of("srtf", 1), Costs.SHIPPED);
        var victim = run.jobs().getFirst();
        assertThat(victim.ended()).isEqualTo(1_070_000); // 100 + 10 away + 60 to restart + 900 left
        assertThat(victim.lost()).isEqualTo(60_000);
        assertThat(victim.attempts()).isEqualTo(2);
        assertThat(victim.life().state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void beneficiaryWaitsUntilTheVictimHasSavedAndGone() {
        var costs = new Costs(
                Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofSeconds(10));
        var run = workload().job(0, 1000, 8).job(100, 10, 8).run(1, Policies.of("srtf", 1), costs);
        assertThat(run.jobs().getLast().firstStart()).isEqualTo(140_000);
        assertThat(run.jobs().getLast().ended()).isEqualTo(155_000);
        assertThat(run.jobs().getFirst().ended()).isEqualTo(155_000 + 60_000 + 905_000);
    }

    @Test
    void largeJobsAreWholeNodesAndARest() {
        var run = workload().job(0, 10, 20).run(3, Policies.of("fifo-skip", 1), Costs.SHIPPED);
        assertThat(run.jobs().getFirst().gang().kinds())
                .extracting(k -> k.each().gpus())
                .containsExactly(8, 4);
        assertThat(run.jobs().getFirst().ended()).isEqualTo(10_000);
    }

    @Test
    void whatTheFleetCouldNeverHoldIsSaidWithItsLine() {
        var workload = workload().job(0, 10, 8).job(0, 10, 24).read();
        var cast = new Cast(Workloads.site(2, workload), workload, false);
        assertThat(cast.jobs()).hasSize(1);
        assertThat(cast.neverFitting()).extracting(note -> note.line()).containsExactly(2);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void noGpuIsGivenTwiceAndAllWorkIsDone(String policy) {
        var run = Workloads.random(7, 300).run(4, new Watched(Policies.of(policy, 3)), Costs.SHIPPED);
        assertThat(run.jobs()).allSatisfy(job -> {
            assertThat(job.life().state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.done(run.to())).isEqualTo(job.work());
            assertThat(job.ended() - job.submitted()).isGreaterThanOrEqualTo(job.work());
            assertThat(job.held(run.to())).isEqualTo(job.work() + job.lost());
        });
        assertThat(run.timeline().usedGpus(run.timeline().size() - 1)).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void equalInputsGiveEqualBytes(String policy) throws IOException {
        assertThat(told(policy)).isEqualTo(told(policy));
    }

    private static String told(String policy) throws IOException {
        var run = Workloads.random(11, 200).run(4, Policies.of(policy, 3), Costs.SHIPPED);
        var setting = new Scorecard.Setting(policy, "random", "csv", "four", 4, 32, 60);
        var card = Scorecard.of(setting, run, List.of());
        var table = new StringBuilder();
        JobTable.write(run, table);
        return Json.of(card) + Page.of(card, card) + table;
    }

    static Stream<String> policies() {
        return Policies.names().stream();
    }

    /** Looks at every node before each plan. */
    private record Watched(Planner planner) implements Planner {
        @Override
        public List<Decision> plan(World world) {
            int[] held = new int[world.fleet().size()];
            world.active()
                    .forEach(job -> job.spots()
                            .forEach(s -> held[s.node()] += s.amount().gpus()));
            for (int n = 0; n < held.length; n++) {
                assertThat(held[n]).isBetween(0, 8);
                assertThat(world.room().present().gpus(n)).isEqualTo(8 - held[n]);
            }
            var before = new ArrayList<>(world.waiting());
            var decisions = planner.plan(world);
            assertThat(world.waiting()).as("a plan changes nothing").containsExactlyElementsOf(before);
            return decisions;
        }

        @Override
        public long nextReview(World world) {
            return planner.nextReview(world);
        }

        @Override
        public void ended(SimulatedJob job, World world) {
            planner.ended(job, world);
        }
    }
}
