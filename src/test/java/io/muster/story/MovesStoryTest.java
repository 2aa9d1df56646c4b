package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Small jobs lie on every node; a gang asks for a whole one. */
class MovesStoryTest {
    private static final int NODES = 8;
    private static final int LEFT_PER_NODE = 2;

    @Test
    void aFewSmallJobsMoveSoThatAGangGetsAWholeNodeAndGoOnWhereTheySaved() {
        try (var world = World.virtual(NODES * 8)) {
            var lab = world.lab();
            lab.policy(Map.of("minRuntime", lab.time("20s")))
                    .team("a")
                    .volume("a", "work")
                    .quota("a", Fleets.POOL, NODES * 8);
            var small = scattered(lab);
            var before = places(lab, small);
            lab.await(
                    "every small job has saved once",
                    Duration.ofSeconds(90),
                    () -> small.stream()
                            .noneMatch(id -> lab.admin()
                                    .get("/jobs/" + id + "/checkpoints")
                                    .isEmpty()));

            var gang = lab.job("a").name("gang").gang(1, 8).trains("2m").submit();

            lab.await("the gang runs", () -> lab.state(gang).equals("RUNNING"));
            var node = lab.nodes(gang).getFirst();
            var movers =
                    small.stream().filter(id -> before.get(id).equals(node)).toList();
            assertThat(movers).hasSize(LEFT_PER_NODE);
            lab.await(
                    "all small jobs run again", () -> lab.states(small).stream().allMatch("RUNNING"::equals));
            small.stream()
                    .filter(id -> !movers.contains(id))
                    .forEach(id -> assertThat(lab.attempts(id).size())
                            .as("job %d was not touched", id)
                            .isEqualTo(1));
            movers.forEach(id -> wentOn(lab, id, gang, node));
        }
    }

    /** So many small jobs that every node is full; then all but a few of each node are cancelled. */
    private static List<Long> scattered(Lab lab) {
        var all = new ArrayList<Long>();
        for (int i = 0; i < NODES * 8; i++) {
            all.add(lab.job("a")
                    .name("small-" + i)
                    .gang(1, 1)
                    .trains("60m")
                    .env("VIRTUAL_SAVE", "3s")
                    .checkpoints("api", "40s")
                    .submit());
        }
        lab.await("the fleet is full", () -> lab.states(all).stream().allMatch("RUNNING"::equals));
        var left = new HashMap<String, Integer>();
        var stay = new ArrayList<Long>();
        places(lab, all).forEach((id, node) -> {
            if (left.merge(node, 1, Integer::sum) <= LEFT_PER_NODE) {
                stay.add(id);
            } else {
                lab.as("a").post("/jobs/" + id + "/cancel", Map.of());
            }
        });
        lab.await("the others are gone", () -> lab.allocated("a") == NODES * LEFT_PER_NODE);
        return stay;
    }

    private static Map<Long, String> places(Lab lab, List<Long> jobs) {
        var places = new HashMap<Long, String>();
        jobs.forEach(id -> places.put(id, lab.nodes(id).getFirst()));
        return places;
    }

    private static void wentOn(Lab lab, long mover, long gang, String left) {
        var place = lab.nodes(mover).getFirst();
        assertThat(place).isNotEqualTo(left);
        var told = lab.events(mover).stream()
                .filter(e -> e.at("/why").asString().equals("move"))
                .map(e -> e.at("/data"))
                .filter(data -> data.has("beneficiary"))
                .findFirst()
                .orElseThrow();
        assertThat(told.at("/beneficiary").asLong()).isEqualTo(gang);
        assertThat(told.at("/nodes").valueStream().map(JsonNode::asString)).containsExactly(place);
        var attempts = lab.attempts(mover);
        assertThat(attempts.size()).isEqualTo(2);
        assertThat(attempts.get(0).at("/resumeStep").asLong())
                .as("job %d resumed where it had saved", mover)
                .isPositive();
        assertThat(lab.job(mover).at("/preemptions").asInt())
                .as("a move is no preemption")
                .isZero();
    }
}
