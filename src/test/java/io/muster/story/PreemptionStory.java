package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.job.PlainDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Story 3: an urgent retrain takes GPUs through checkpoints; the victims come back and finish. */
abstract class PreemptionStory {
    private static final int NODES = 8;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int WANTED = 2;
    private static final String EXPERIMENTERS = "research";
    private static final String OTHERS = "retrain";

    /** A lab with so many GPUs, eight to a node. */
    abstract World world(int gpus);

    /** Of another team, inside its guarantee: a reclaim. */
    @Test
    void aRetrainInsideItsGuaranteeReclaimsTheCheapestVictims() {
        story(OTHERS, "normal", lab -> lab.quota(OTHERS, Fleets.POOL, 16));
    }

    /** Of the same team, by priority. */
    @Test
    void anUrgentJobOfTheSameTeamPreempts() {
        story(EXPERIMENTERS, "urgent", lab -> {});
    }

    /** Of a team without any guarantee, by a class that reaches across teams. */
    @Test
    void aProductionJobPreemptsAcrossTeams() {
        story(OTHERS, "production", lab -> lab.grant("production", OTHERS, Fleets.POOL, 32));
    }

    private void story(String urgentTeam, String priority, Consumer<Lab> setUp) {
        try (var world = world(NODES * 8)) {
            var lab = world.lab();
            lab.policy(Map.of("minRuntime", lab.time("20s"), "reclaimPercent", 100))
                    .team(EXPERIMENTERS)
                    .team(OTHERS)
                    .volume(EXPERIMENTERS, "work")
                    .quota(EXPERIMENTERS, Fleets.POOL, 16);
            setUp.accept(lab);
            var experiments = experiments(lab);
            lab.await("the fleet is full", () -> lab.allocated(EXPERIMENTERS) == NODES * 8);
            lab.await(
                    "every experiment has saved once",
                    Lab.PATIENCE,
                    () -> experiments.stream()
                            .noneMatch(id -> lab.admin()
                                    .get("/jobs/" + id + "/checkpoints")
                                    .isEmpty()));

            var retrain = lab.job(urgentTeam)
                    .name("retrain")
                    .gang(WANTED, 8)
                    .priority(priority)
                    .trains("2m")
                    .submit();

            lab.await("the retrain runs", () -> lab.state(retrain).equals("RUNNING"));
            var victims = experiments.stream()
                    .filter(id -> lab.job(id).at("/preemptions").asInt() > 0)
                    .toList();
            assertThat(victims).as("no more victims than it needs").hasSize(WANTED);
            cheapest(lab, experiments, victims);
            takesOverTheirNodes(lab, retrain, victims);
            lab.await(
                    "every experiment finishes",
                    LONG,
                    () -> experiments.stream().allMatch(id -> lab.state(id).equals("SUCCEEDED")));
            assertThat(lab.state(retrain)).isEqualTo("SUCCEEDED");
            victims.forEach(id -> resumed(lab, id));
        }
    }

    /** Low-priority experiments over the whole fleet, of different checkpoint ages, asked in both ways. */
    private static List<Long> experiments(Lab lab) {
        var ids = new ArrayList<Long>();
        for (int i = 0; i < NODES; i++) {
            ids.add(lab.job(EXPERIMENTERS)
                    .name("experiment-" + i)
                    .gang(1, 8)
                    .priority("low")
                    .trains("15m")
                    .env("VIRTUAL_SAVE", "3s")
                    .checkpoints(i % 2 == 0 ? "sigterm" : "api", (40 + 20 * i) + "s")
                    .submit());
        }
        return ids;
    }

    /** Nobody who had less to lose since the last save was spared; all hold as many GPUs. */
    private static void cheapest(Lab lab, List<Long> experiments, List<Long> victims) {
        var asked = victims.stream()
                .map(id -> askedToLeave(lab, id))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        // How far the ledger may be behind what had just been saved.
        var tolerance = PlainDuration.parse(lab.time("60s")).orElseThrow();
        var most = victims.stream()
                .map(id -> sinceSaved(lab, id, asked))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        experiments.stream()
                .filter(id -> !victims.contains(id))
                .forEach(id -> assertThat(sinceSaved(lab, id, asked).plus(tolerance))
                        .as("what job %d had to lose", id)
                        .isGreaterThanOrEqualTo(most));
    }

    private static Instant askedToLeave(Lab lab, long job) {
        return lab.events(job).stream()
                .filter(e -> List.of("CHECKPOINTING", "STOPPING")
                        .contains(e.at("/to").asString("")))
                .map(e -> Instant.parse(e.at("/at").asString()))
                .findFirst()
                .orElseThrow();
    }

    private static Duration sinceSaved(Lab lab, long job, Instant asked) {
        return lab.admin()
                .get("/jobs/" + job + "/checkpoints")
                .valueStream()
                .map(saved -> Instant.parse(saved.at("/at").asString()))
                .filter(at -> !at.isAfter(asked))
                .max(Comparator.naturalOrder())
                .map(at -> Duration.between(at, asked))
                .orElse(Duration.ofDays(1));
    }

    private static JsonNode first(Lab lab, long job) {
        var attempts = lab.attempts(job);
        return attempts.get(attempts.size() - 1);
    }

    /** The freed GPUs go to the retrain and to nobody else. */
    private static void takesOverTheirNodes(Lab lab, long retrain, List<Long> victims) {
        var freed = new ArrayList<String>();
        for (var victim : victims) {
            var first = first(lab, victim);
            freed.add(first.at("/replicas/0/node").asString());
            assertThat(first.at("/beneficiary").asLong()).isEqualTo(retrain);
        }
        assertThat(lab.nodes(retrain)).containsExactlyInAnyOrderElementsOf(freed);
    }

    private static void resumed(Lab lab, long victim) {
        var attempts = lab.attempts(victim);
        assertThat(attempts.size()).isGreaterThan(1);
        assertThat(attempts.get(attempts.size() - 2).at("/resumeStep").asLong())
                .as("job " + victim + " resumed where it had saved")
                .isPositive();
        assertThat(lab.events(victim).stream().map(e -> e.at("/kind").asString()))
                .contains("checkpoint-saved");
    }
}
