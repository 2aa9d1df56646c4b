package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Story 4: gangs lie close together. */
class TopologyStoryTest {

    @Test
    void eightGpusGoOnOneNvlinkNodeAlthoughFreeGpusLieScattered() {
        try (var world = World.virtual(64, 30)) {
            var lab = lab(world);
            running(lab, lab.job("a").submit(10));

            var one = lab.job("a").gang(1, 8).submit();
            var eight = lab.job("a")
                    .gang(8, 1)
                    .topology(Map.of("require", "nvlink"))
                    .submit();

            running(lab, List.of(one, eight));
            assertThat(Set.copyOf(lab.nodes(one))).hasSize(1);
            assertThat(Set.copyOf(lab.nodes(eight))).hasSize(1);
        }
    }

    @Test
    void smallJobsFillGapsBeforeTheyBreakWholeNodes() {
        try (var world = World.virtual(64, 30)) {
            var lab = lab(world);

            var small = lab.job("a").submit(12);

            running(lab, small);
            var used = new HashSet<String>();
            small.forEach(id -> used.addAll(lab.nodes(id)));
            assertThat(used).as("nodes of 12 one-GPU jobs").hasSize(2);
        }
    }

    @Test
    void fourWholeNodesGoInOneRackWhenARackFits() {
        try (var world = World.virtual(64, 30)) {
            var lab = lab(world);
            running(lab, lab.job("a").submit(3));

            var gang = lab.job("a")
                    .gang(4, 8)
                    .topology(Map.of("prefer", "rack", "require", "block"))
                    .submit();

            running(lab, List.of(gang));
            assertThat(racks(lab, gang)).hasSize(1);
        }
    }

    @Test
    void aRequiredRackIsWaitedForAndAPreferredOneRelaxesAfterItsPatience() {
        try (var world = World.virtual(64, 30)) {
            var lab = lab(world);
            oneNodeOfEachRackIsTaken(lab);

            var strict =
                    lab.job("a").gang(4, 8).topology(Map.of("require", "rack")).submit();
            waitsForTopology(lab, strict);
            assertThat(lab.reason(strict).at("/replicasFit").asInt()).isEqualTo(3);
            lab.as("a").post("/jobs/" + strict + "/cancel", Map.of());

            var patient = lab.job("a")
                    .gang(4, 8)
                    .topology(Map.of("prefer", "rack", "patience", "10m"))
                    .submit();
            waitsForTopology(lab, patient);
            running(lab, List.of(patient));
            assertThat(racks(lab, patient)).hasSize(2);
        }
    }

    @Test
    void slicesLieWholeInOneRackEachAndTheGangSaysHowManyFit() {
        try (var world = World.virtual(64, 30)) {
            var lab = lab(world);
            oneNodeOfEachRackIsTaken(lab);

            var sliced = lab.job("a")
                    .gang(4, 8)
                    .topology(Map.of("slices", Map.of("size", 2, "level", "rack")))
                    .submit();
            running(lab, List.of(sliced));
            var nodes = lab.nodes(sliced);
            assertThat(lab.domain(nodes.get(0)).subList(0, 2))
                    .isEqualTo(lab.domain(nodes.get(1)).subList(0, 2));
            assertThat(lab.domain(nodes.get(2)).subList(0, 2))
                    .isEqualTo(lab.domain(nodes.get(3)).subList(0, 2));

            var more = lab.job("a")
                    .gang(2, 8)
                    .topology(Map.of("slices", Map.of("size", 2, "level", "rack")))
                    .submit();
            waitsForTopology(lab, more);
            assertThat(lab.reason(more).at("/sliceSize").asInt()).isEqualTo(2);
            assertThat(lab.reason(more).at("/sliceLevel").asString()).isEqualTo("rack");
        }
    }

    private static Lab lab(World world) {
        return world.lab().team("a").quota("a", Fleets.POOL, 64);
    }

    private static void oneNodeOfEachRackIsTaken(Lab lab) {
        var one = lab.job("a").gang(1, 8).submit();
        running(lab, List.of(one));
        var rack = lab.domain(lab.nodes(one).getFirst()).get(1);
        lab.admin().post("/nodes/" + nodeOutside(lab, rack) + "/cordon", Map.of("why", "a story"));
    }

    private static void waitsForTopology(Lab lab, long job) {
        lab.await(
                "job " + job + " waits for topology", () -> lab.reasonKind(job).equals("topology"));
    }

    private static String nodeOutside(Lab lab, String rack) {
        for (var node : lab.admin().get("/nodes?pool=" + Fleets.POOL)) {
            if (!node.at("/domain/1").asString().equals(rack)) {
                return node.at("/id").asString();
            }
        }
        throw new AssertionError("no node outside " + rack);
    }

    private static Set<String> racks(Lab lab, long job) {
        var racks = new HashSet<String>();
        lab.nodes(job).forEach(n -> racks.add(lab.domain(n).subList(0, 2).toString()));
        return racks;
    }

    private static void running(Lab lab, List<Long> jobs) {
        lab.await("they run", () -> lab.states(jobs).stream().allMatch("RUNNING"::equals));
    }
}
