package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An elastic job starts with what there is room for, grows, yields, goes on with what is left, and loses no saved step. */
class ElasticStoryTest {
    private static final int NODES = 8;
    private static final Duration LONG = Duration.ofSeconds(180);

    @Test
    void startsSmallGrowsYieldsAndFinishes() {
        try (var world = World.virtual(NODES * 8)) {
            var lab = world.lab();
            lab.policy(Map.of("minRuntime", lab.time("20s"), "reclaimPercent", 100))
                    .team("elastic")
                    .team("others")
                    .volume("elastic", "work")
                    .quota("elastic", Fleets.POOL, 32)
                    .quota("others", Fleets.POOL, 32);
            var first = lab.job("others").name("first").gang(4, 8).trains("3m").submit();
            lab.await("the others run", () -> lab.state(first).equals("RUNNING"));

            var job = lab.job("elastic")
                    .name("elastic")
                    .gang(8, 8)
                    .elastic(2)
                    .trains("40m")
                    .env("VIRTUAL_SAVE", "3s")
                    .checkpoints("api", "30s")
                    .submit();

            lab.await("it starts with half of its replicas", () -> replicas(lab, job) == 4);
            assertThat(lab.job(job).at("/job/replicas").asInt()).isEqualTo(8);
            assertThat(lab.job(job).at("/job/minReplicas").asInt()).isEqualTo(2);
            assertThat(lab.state(first)).as("nobody yielded").isEqualTo("RUNNING");

            lab.await("it has grown to all of them", LONG, () -> replicas(lab, job) == 8 && runs(lab, job));
            assertThat(lab.state(first)).isEqualTo("SUCCEEDED");

            var owed = lab.job("others").name("owed").gang(3, 8).trains("1m").submit();
            lab.await("those who are owed GPUs run", LONG, () -> runs(lab, owed));
            lab.await("it goes on with the rest", () -> replicas(lab, job) == 5);
            lab.await("it finishes", LONG, () -> lab.state(job).equals("SUCCEEDED"));
            assertThat(lab.state(owed)).isEqualTo("SUCCEEDED");
            itsStory(lab, job, owed);
        }
    }

    private static boolean runs(Lab lab, long job) {
        return lab.state(job).equals("RUNNING");
    }

    private static int replicas(Lab lab, long job) {
        return lab.job(job).at("/job/replicasNow").asInt(0);
    }

    /** Every attempt goes on from what the one before had saved, and says for whose sake it ended. */
    private static void itsStory(Lab lab, long job, long owed) {
        var attempts = new ArrayList<>(lab.attempts(job).valueStream().toList()).reversed();
        var sizes = attempts.stream().map(a -> a.at("/replicas").size()).toList();
        assertThat(sizes.subList(0, 3)).containsExactly(4, 8, 5);
        assertThat(attempts.get(0).at("/beneficiary").asLong()).as("to grow").isEqualTo(job);
        assertThat(attempts.get(1).at("/beneficiary").asLong()).isEqualTo(owed);
        for (int i = 1; i < attempts.size(); i++) {
            assertThat(attempts.get(i).at("/resumeStep").asLong())
                    .as("attempt %d goes on from the newest save", i + 1)
                    .isEqualTo(attempts.get(i - 1).at("/lastCheckpointStep").asLong())
                    .isPositive();
        }
        assertThat(lab.events(job).stream().map(e -> e.at("/why").asString(""))).contains("resize", "reclaim");
    }
}
