package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Story 1: three teams share 64 GPUs. */
class FairShareStoryTest {
    private static final int GPUS = 64;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int GUARANTEED = 16;

    @Test
    void eachTeamReachesItsDeservedShareAndTheSurplusIsUsedWhileOthersAreIdle() {
        try (var world = World.virtual(64, 60)) {
            var lab = world.lab().policy(Map.of("minRuntime", "30s"));
            for (var team : new String[] {"a", "b", "c"}) {
                lab.team(team).quota(team, Fleets.POOL, GUARANTEED);
            }

            lab.job("a").trains("8m").submit(200);
            lab.await("A fills the fleet while the others are idle", () -> lab.allocated("a") == GPUS);
            lab.await(
                    "A borrows",
                    () -> lab.share("a", Fleets.POOL).at("/borrowed").asInt() > 0);

            lab.job("b").trains("20m").submit(40);
            lab.job("c").trains("20m").submit(40);
            lab.await(
                    "B and C hold their guarantee",
                    () -> lab.allocated("b") >= GUARANTEED && lab.allocated("c") >= GUARANTEED);
            lab.await("B and C hold what they deserve", Lab.PATIENCE, () -> reached(lab, "b") && reached(lab, "c"));

            lab.await("B and C are done", LONG, () -> ended(lab, "b") && ended(lab, "c"));
            lab.await("nothing of A is lost: every job ends", LONG, () -> ended(lab, "a"));
            assertThat(lab.list("team=a&state=SUCCEEDED")).hasSize(200);
            assertThat(lab.list("team=b&state=SUCCEEDED")).hasSize(40);
            assertThat(lab.list("team=c&state=SUCCEEDED")).hasSize(40);
        }
    }

    private static boolean reached(Lab lab, String team) {
        return lab.allocated(team)
                >= lab.share(team, Fleets.POOL).at("/deserved").asInt();
    }

    private static boolean ended(Lab lab, String team) {
        return lab.list("team=" + team + "&state=waiting&state=active").isEmpty();
    }
}
