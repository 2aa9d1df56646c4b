package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.ModeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parts of a guarantee that come in whole domains. */
class ShapesTest {
    private static final Duration LONG = Duration.ofHours(2);

    /** Four nodes of eight; "island" has two of them in its shape, "crowd" the rest. */
    private static Cluster island() {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(16).shape(2, "node", 8))
                .team("crowd", guaranteed(16));
    }

    private static Job[] small(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> job(i).team("crowd").gpus(1))
                .toArray(Job[]::new);
    }

    private static Job gang() {
        return job(1).team("island").replicas(2).gpus(8);
    }

    /** One-GPU jobs that fill the node. */
    private static void fill(Cluster cluster, String node, int from, String team) {
        for (int i = 0; i < 8; i++) {
            cluster.jobs(job(from + i).team(team).gpus(1).on(node).started(LONG));
        }
    }

    private static Map<String, Integer> startsByNode(Planned planned) {
        var starts = new TreeMap<String, Integer>();
        planned.all(Decision.Start.class)
                .forEach(s -> s.placements().forEach(p -> starts.merge(p.node().value(), 1, Integer::sum)));
        return starts;
    }

    private static TreeSet<String> kept(Planned planned, long job) {
        var nodes = new TreeSet<String>();
        planned.reserves().stream()
                .filter(r -> r.job().value() == job)
                .forEach(r -> r.placements().forEach(p -> nodes.add(p.node().value())));
        return nodes;
    }

    /**
     * HiveD (OSDI 2020): sixteen one-GPU jobs spread over two nodes destroy a team's island of sixteen GPUs, although as
     * many GPUs as it was promised are free.
     */
    @Test
    void smallJobsOfOthersAvoidAnIslandBorrowItWhenAllIsFullAndGiveItBackWhole() {
        // Other nodes are half full, so that by best fit alone single jobs would go anywhere.
        var avoided = island().jobs(small(100, 16)).plan();
        assertThat(avoided.started()).hasSize(16);
        assertThat(startsByNode(avoided)).hasSize(2).containsValue(8);

        var borrowed = island().jobs(small(100, 32)).plan();
        assertThat(borrowed.started()).hasSize(32);

        var full = island();
        for (int n = 1; n <= 4; n++) {
            fill(full, "n" + n, 100 * n, "crowd");
        }
        var asked = full.jobs(gang()).plan();
        assertThat(asked.victims()).hasSize(16);
        assertThat(kept(asked, 1)).hasSize(2);
    }

    @Test
    void scatteredJobsWithinTheirShareLeaveTheIslandWhoseOwnerAsks() {
        // Crowd holds its guarantee, four GPUs on each node: no share is exceeded, and nobody saves.
        var cluster = island();
        for (int n = 1; n <= 4; n++) {
            for (int i = 0; i < 4; i++) {
                cluster.jobs(job(100L * n + i).team("crowd").gpus(1).on("n" + n).started(LONG));
            }
        }
        var planned = cluster.jobs(gang()).plan();
        assertThat(planned.victims()).hasSize(8);
        assertThat(planned.all(Decision.RequestCheckpoint.class))
                .allMatch(r -> r.cause() == Cause.SHAPE && r.guaranteed());
        assertThat(kept(planned, 1)).hasSize(2);
    }

    @Test
    void withoutAShapeNobodyWithinItsShareLeaves() {
        var cluster = cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(16))
                .team("crowd", guaranteed(16));
        for (int n = 1; n <= 4; n++) {
            for (int i = 0; i < 4; i++) {
                cluster.jobs(job(100L * n + i).team("crowd").gpus(1).on("n" + n).started(LONG));
            }
        }
        assertThat(cluster.jobs(gang()).plan().victims()).isEmpty();
    }

    @Test
    void movingGoesBeforeTakingFromThoseWithinTheirShare() {
        var cluster = island();
        for (int n = 1; n <= 4; n++) {
            for (int i = 0; i < 4; i++) {
                cluster.jobs(job(100L * n + i)
                        .team("crowd")
                        .gpus(1)
                        .on("n" + n)
                        .started(LONG)
                        .checkpointed(Duration.ofMinutes(1)));
            }
        }
        var planned = cluster.jobs(gang()).plan();
        assertThat(planned.all(Decision.RequestCheckpoint.class)).hasSize(8).allMatch(r -> r.cause() == Cause.MOVE);
    }

    @Test
    void aPlaceThatIsFreeAtOnceIsNotGivenUpForOneThatVictimsMustLeave() {
        // The crowd is at its limit: its lower job yields its share, and what is free is kept for the island.
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(8).limit(8))
                .jobs(
                        job(11).team("crowd").gpus(8).on("n2").priority(-100).started(LONG),
                        job(1).team("crowd").gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
        assertThat(planned.nodesOf(1)).containsExactly("n1");
    }

    @Test
    void theOwnerStandsInNoMoreDomainsThanItsShapeHas() {
        var cluster = cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(16).shape(1, "node", 8))
                .team("crowd", guaranteed(16))
                .jobs(job(2).team("island").gpus(8).on("n1").started(LONG));
        for (int n = 2; n <= 4; n++) {
            for (int i = 0; i < 4; i++) {
                cluster.jobs(job(100L * n + i).team("crowd").gpus(1).on("n" + n).started(LONG));
            }
        }
        assertThat(cluster.jobs(job(1).team("island").gpus(8)).plan().victims()).isEmpty();
    }

    @Test
    void beyondItsGuaranteeTheOwnerTakesNothingByItsShape() {
        var cluster = cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(24))
                .jobs(job(2).team("island").gpus(1).on("n1").started(LONG));
        for (int n = 1; n <= 4; n++) {
            for (int i = 0; i < 4; i++) {
                cluster.jobs(job(100L * n + i).team("crowd").gpus(1).on("n" + n).started(LONG));
            }
        }
        assertThat(cluster.jobs(job(1).team("island").gpus(8)).plan().victims()).isEmpty();
    }

    @Test
    void twoShapesNeverTakeFromEachOther() {
        var cluster = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).shape(1, "node", 8))
                .team("b", guaranteed(8).shape(1, "node", 8))
                .jobs(
                        job(10).team("b").gpus(5).on("n1").started(LONG),
                        job(11).team("b").gpus(1).on("n2").started(LONG),
                        job(1).team("a").gpus(8));
        // The job of five stands in b's own domain: only the other one is in a's way.
        assertThat(cluster.plan().victims()).containsExactly(11L);
    }

    @Test
    void theYoungTheFirmAndTheFrozenStay() {
        for (var stays : List.of(
                job(50).team("crowd").gpus(1).started(Duration.ofMinutes(5)),
                job(50).team("crowd").gpus(1).started(LONG).notPreemptible(),
                job(50).team("crowd").gpus(1).started(LONG).production(4))) {
            var cluster = cluster()
                    .rack("r1", nodes("n", 2))
                    .team("island", guaranteed(8).shape(1, "node", 8))
                    .team("crowd", guaranteed(8))
                    .jobs(stays.on("n1"), job(60).team("crowd").gpus(1).on("n2").started(LONG));
            assertThat(cluster.jobs(job(1).team("island").gpus(8)).plan().victims())
                    .as("beside " + stays.jobId())
                    .containsExactly(60L);
        }
        var frozen = island().mode(new ModeView(null, "release day", null, Map.of(), Map.of()));
        for (int n = 1; n <= 4; n++) {
            frozen.jobs(job(100L * n).team("crowd").gpus(4).on("n" + n).started(LONG));
        }
        assertThat(frozen.jobs(gang()).plan().victims()).isEmpty();
    }

    @Test
    void theFewestGpusOfThoseWithinTheirShareAreTaken() {
        var cluster = cluster()
                .rack("r1", nodes("n", 3))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(16))
                .jobs(
                        job(10).team("crowd").gpus(4).on("n1").started(LONG),
                        job(20).team("crowd").gpus(2).on("n2").started(LONG),
                        job(30).team("crowd").gpus(6).on("n3").started(LONG),
                        job(1).team("island").gpus(8));
        assertThat(cluster.plan().victims()).containsExactly(20L);
    }

    @Test
    void aRackIsKeptForAGangOfOneRack() {
        var cluster = cluster()
                .rack("r1", nodes("a", 2))
                .rack("r2", nodes("b", 2))
                .team("island", guaranteed(16).shape(1, "rack", 16))
                .team("crowd", guaranteed(16))
                .jobs(job(9).team("crowd").gpus(2).on("b1").started(LONG));
        var avoided = cluster.jobs(small(100, 14)).plan();
        assertThat(startsByNode(avoided).keySet()).containsOnly("b1", "b2");
        var spread = cluster()
                .rack("r1", nodes("a", 2))
                .rack("r2", nodes("b", 2))
                .team("island", guaranteed(16).shape(1, "rack", 16))
                .team("crowd", guaranteed(16))
                .jobs(
                        job(9).team("crowd").gpus(2).on("b1").started(LONG),
                        job(10).team("crowd").gpus(1).on("a2").started(LONG),
                        job(1).team("island").replicas(2).gpus(8).require("rack"))
                .plan();
        assertThat(spread.victims()).containsExactly(10L);
        assertThat(kept(spread, 1)).containsOnly("a1", "a2");
    }

    @Test
    void aTeamBelowTheOwnerUsesItsShape() {
        var cluster = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("island/inner", guaranteed(8))
                .team("crowd", guaranteed(8))
                .jobs(
                        job(10).team("crowd").gpus(1).on("n1").started(LONG),
                        job(11).team("crowd").gpus(2).on("n2").started(LONG),
                        job(1).team("island/inner").gpus(8));
        assertThat(cluster.plan().victims()).containsExactly(10L);
    }

    @Test
    void whoComesFirstInOrderLeavesKeptDomainsToTheOwnerWhoAsksInTheSameCycle() {
        var jobs = new ArrayList<Job>(List.of(small(100, 32)));
        jobs.add(gang());
        var planned = island().jobs(jobs.toArray(Job[]::new)).plan();
        assertThat(planned.started()).contains(1L).hasSize(17);
    }

    @Test
    void aLevelThatThePoolDoesNotHaveKeepsNothing() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", guaranteed(8).shape(1, "block", 8))
                .team("crowd", guaranteed(8))
                .jobs(small(100, 16))
                .plan();
        assertThat(planned.started()).hasSize(16);
    }

    @Test
    void aDomainWithoutFirmJobsIsKept() {
        var planned = cluster()
                .rack("r1", node("n1"), node("n2"), node("n3"))
                .team("island", guaranteed(8).shape(1, "node", 8))
                .team("crowd", guaranteed(16))
                .jobs(
                        job(10).team("crowd").gpus(1).on("n1").notPreemptible(),
                        job(11).team("crowd").gpus(2).on("n2"),
                        job(12).team("crowd").gpus(3).on("n3"))
                .jobs(small(100, 12))
                .plan();
        assertThat(startsByNode(planned).keySet()).containsOnly("n1", "n3");
    }
}
