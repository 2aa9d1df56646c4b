package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A training hangs: people are told; then, where policy says so, it is started again and finishes. */
class HangStoryTest {
    @Test
    void aHangIsToldAndWherePolicySaysSoRestarted() {
        // At this pace the silence that counts is 15 s long: a machine that is busy for a moment is no hang.
        try (var server = StoryServer.onVirtual("gpus-32", 20)) {
            var lab = Fleets.pool(new Lab(server))
                    .team("a")
                    .quota("a", Fleets.POOL, 32)
                    .volume("a", "work");
            lab.policy(Map.of("hangTimeout", "5m", "hangAction", "alert"));
            long hangs = lab.job("a")
                    .gang(2, 8)
                    .trains("8m")
                    .checkpoints("sigterm", "1m")
                    .env("VIRTUAL_REPORT", "20s")
                    .env("VIRTUAL_FAIL", "hang")
                    .env("VIRTUAL_FAIL_AT", "4m")
                    .env("VIRTUAL_FAIL_ATTEMPTS", "1")
                    .submit();
            // It never reports and prints nothing: its silence says nothing.
            long mute = lab.job("a").trains("4h").env("VIRTUAL_REPORT", "4h").submit();
            lab.await("both run", () -> lab.states(List.of(hangs, mute)).equals(List.of("RUNNING", "RUNNING")));

            lab.await("people are told", () -> kinds(lab, hangs).contains("hang-suspected"));
            JsonNode told = event(lab, hangs, "hang-suspected");
            assertThat(told.at("/data/silentSeconds").asLong()).isGreaterThanOrEqualTo(300);
            assertThat(told.at("/data/then").asString()).isEqualTo("alert");
            lab.await(
                    "it is among what needs its owner", () -> notices(lab, "a").contains("hung " + hangs));
            assertThat(server.admin().metric("muster_jobs_hung")).isEqualTo("1.0");
            assertThat(server.admin().metric("muster_jobs_hang_suspected_total"))
                    .isEqualTo("1.0");
            assertThat(lab.state(hangs)).as("an alert moves nothing").isEqualTo("RUNNING");

            lab.policy(Map.of("hangAction", "restart"));
            lab.await("it is started again", () -> lab.attempts(hangs).size() == 2);
            JsonNode first = lab.attempts(hangs).get(1);
            assertThat(first.at("/failure").asString()).isEqualTo("HANG");
            lab.await("and finishes", () -> lab.state(hangs).equals("SUCCEEDED"));
            assertThat(lab.attempts(hangs).get(0).at("/resumeStep").asLong())
                    .as("from its last checkpoint")
                    .isPositive();
            assertThat(kinds(lab, mute)).doesNotContain("hang-suspected");
            assertThat(lab.attempts(mute).size()).isOne();
            assertThat(kinds(lab, hangs).stream().filter("hang-suspected"::equals))
                    .hasSize(1);
        }
    }

    private static List<String> kinds(Lab lab, long job) {
        return lab.events(job).stream().map(e -> e.at("/kind").asString()).toList();
    }

    private static JsonNode event(Lab lab, long job, String kind) {
        return lab.events(job).stream()
                .filter(e -> e.at("/kind").asString().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> notices(Lab lab, String team) {
        return lab.as(team)
                .get("/overview")
                .at("/needsMe")
                .valueStream()
                .map(n -> n.at("/kind").asString() + " " + n.at("/job").asLong())
                .toList();
    }
}
