package io.muster.scheduling.shape;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ModeView;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** For whom job 9 of another team waits before it borrows what is kept for the shape of "island". */
class AskingTest {
    private Draft draft = new Draft(Problem.of(four().snapshot()));

    private static Cluster four(Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("island", guaranteed(16).shape(2, "node", 8))
                .team("crowd", guaranteed(16))
                .jobs(job(9).team("crowd").gpus(1))
                .jobs(jobs);
    }

    private Asking asking(Cluster cluster) {
        draft = new Draft(Problem.of(cluster.snapshot()));
        return new Asking(draft, new Gates(draft.problem()));
    }

    private Claimant claimant(long id) {
        return Objects.requireNonNull(draft.problem().claimant(new JobId(id)));
    }

    private static Job island(long id, int gpus) {
        return job(id).team("island").gpus(gpus);
    }

    private boolean waits(Cluster cluster) {
        return asking(cluster).isBefore(claimant(9));
    }

    @Test
    void othersWaitForThoseOfTheShapeOnly() {
        assertThat(waits(four())).isFalse();
        assertThat(waits(four(island(1, 8)))).isTrue();
        assertThat(waits(four(island(1, 4)))).isFalse();
        assertThat(waits(four(job(1).team("crowd").gpus(8)))).isFalse();
    }

    @Test
    void ofDifferentJobsEachIsLookedAt() {
        assertThat(waits(four(island(1, 1).excluding("n1"), island(2, 8).excluding("n1"))))
                .isTrue();
        assertThat(waits(four(island(1, 1).excluding("n1"), island(2, 1).excluding("n2"))))
                .isFalse();
    }

    @Test
    void itEndsWhenAllHadTheirTurn() {
        var asking = asking(four(island(1, 8), island(2, 8)));
        asking.hasTurn(claimant(1));
        assertThat(asking.isBefore(claimant(9))).isTrue();
        asking.hasTurn(claimant(2));
        assertThat(asking.isBefore(claimant(9))).isFalse();
        var ended = asking(four(island(1, 8), island(2, 8)));
        ended.end();
        assertThat(ended.isBefore(claimant(9))).isFalse();
    }

    @Test
    void theOwnerAndClassesThatGoAcrossTeamsDoNotWait() {
        var asking =
                asking(four(island(1, 8), island(2, 1), job(3).team("crowd").production(null)));
        assertThat(asking.isBefore(claimant(2))).isFalse();
        assertThat(asking.isBefore(claimant(3))).isFalse();
    }

    @Test
    void whoIsPrivilegedAsksToo() {
        assertThat(waits(four(island(1, 8).production(null)))).isTrue();
        assertThat(waits(four(job(1).team("crowd").gpus(8).production(null)))).isFalse();
    }

    @Test
    void nobodyWaitsForAJobThatRestsOrATeamThatIsPaused() {
        assertThat(waits(four(island(1, 8).backoff(Duration.ofMinutes(5))))).isFalse();
        var paused = new ModeView(null, null, null, Map.of(), Map.of(Ids.team("island"), "audit"));
        assertThat(waits(four(island(1, 8)).mode(paused))).isFalse();
        var all = new ModeView("all", null, null, Map.of(), Map.of());
        assertThat(waits(four(island(1, 8)).mode(all))).isFalse();
    }
}
