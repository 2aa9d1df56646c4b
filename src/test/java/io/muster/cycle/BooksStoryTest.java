package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.muster.accounting.DecayedUsage;
import io.muster.accounting.UsageBook;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ReplicaPhase;
import io.muster.job.Cause;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.support.Ground;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class BooksStoryTest extends LoopFixture {
    @Autowired
    UsageBook books;

    @Autowired
    DecayedUsage decayed;

    @Autowired
    Auditor auditor;

    @Autowired
    Prune prune;

    @Test
    void useIsBookedToTheSecondHoweverOftenAndLate() {
        JobId job = submit(Ground.document("vision", 2, 4));
        AttemptId attempt = run(job, "n1", "n2");
        for (int i = 0; i < 5; i++) {
            clock.pass(Duration.ofSeconds(61));
            book();
            book();
        }
        assertThat(used()).isEqualTo(8 * 305);
        all(attempt, ReplicaPhase.SUCCEEDED);
        clock.pass(Duration.ofMinutes(3));
        book();

        assertThat(used()).isEqualTo(8 * 305);
        assertThat(count("select gpu_seconds from job_usage where job_id = " + job))
                .isEqualTo(8 * 305);
        assertThat(count("select micros from usage_day")).as("3.6 a GPU-hour").isEqualTo(8 * 305 * 1000L);
        clock.pass(Duration.ofMinutes(10));
        book();
        assertThat(auditor.audit(clock.instant().minus(Duration.ofMinutes(2)))).isEmpty();
    }

    @Test
    void useIsRightWhenAnEndIsHeardOfHoursLater() {
        JobId job = submit(Ground.document("vision", 1, 4));
        AttemptId attempt = run(job, "n1");
        book();
        clock.pass(Duration.ofMinutes(10));
        var ended = clock.instant();
        clock.pass(Duration.ofHours(5)); // nobody could tell: the server or the cluster was away
        book();
        var replica = reader.replicas(attempt).getFirst();
        observer.observe(List.of(new ClusterFact.ReplicaSeen(
                replica.id(), ReplicaPhase.SUCCEEDED, replica.node(), null, 0, null, null, ended)));
        clock.pass(Duration.ofMinutes(1));
        book();

        assertThat(used()).isEqualTo(4 * 600);
    }

    @Test
    void aDaysUseIsBookedOnThatDay() {
        JobId job = submit(Ground.document("vision", 1, 1));
        var now = clock.instant();
        book();
        clock.pass(Duration.between(now, now.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1)))
                .minusSeconds(30));
        AttemptId attempt = run(job, "n1");
        book();
        clock.pass(Duration.ofSeconds(70));
        book();
        all(attempt, ReplicaPhase.SUCCEEDED);
        book();

        assertThat(jdbc.sql("select gpu_seconds from usage_day where gpu_seconds > 0 order by day")
                        .query(Long.class)
                        .list())
                .containsExactly(30L, 40L);
    }

    @Test
    void lostWorkIsBookedAsLost() {
        JobId job = submit(Ground.document("vision", 1, 8));
        AttemptId attempt = run(job, "n1");
        book();
        clock.pass(Duration.ofMinutes(5));
        observer.observe(
                List.of(seen(reader.replicas(attempt).getFirst(), ReplicaPhase.FAILED, FailureClass.GPU_FAULT)));
        book();

        assertThat(count("select lost_gpu_seconds from usage_day")).isEqualTo(8 * 300);
        assertThat(count("select lost_gpu_seconds from job_usage")).isEqualTo(8 * 300);
    }

    @Test
    void pastUseFadesByHalfInAHalfLife() {
        jdbc.sql("delete from usage_decayed").update();
        JobId job = submit(Ground.document("vision", 1, 8));
        book();
        AttemptId attempt = run(job, "n1");
        clock.pass(Duration.ofHours(1));
        all(attempt, ReplicaPhase.SUCCEEDED);
        book();
        double before = faded();
        assertThat(before).isEqualTo(8 * 3600.0);

        clock.pass(Duration.ofDays(7));
        book();

        assertThat(faded()).isCloseTo(before / 2, offset(1.0));
        assertThat(decayed.ratios().get(new DecayedUsage.Place(team, Ground.POOL)))
                .isLessThan(0.01);
    }

    private double faded() {
        return jdbc.sql("select gpu_seconds from usage_decayed where team_id = :team")
                .param("team", team.value())
                .query(Double.class)
                .single();
    }

    @Test
    void theAuditorNamesWhatIsBroken() {
        JobId twice = submit(Ground.document("vision", 1, 8));
        run(twice, "n1");
        JobId also = submit(Ground.document("vision", 1, 8));
        run(also, "n1");
        JobId silent = submit(Ground.document("vision", 1, 8));
        clock.pass(Duration.ofMinutes(5));

        assertThat(auditor.audit(clock.instant().minus(Duration.ofMinutes(2))))
                .containsExactly(
                        new Auditor.Broken(Auditor.Invariant.GPUS_GIVEN_TWICE, List.of("n1")),
                        new Auditor.Broken(Auditor.Invariant.NO_REASON, List.of(silent.toString())));
    }

    /** A commit may explain a job that somebody cancels in the same moment. */
    @Test
    void whatWasSaidOfAJobThatWaitsNoMoreIsThrownAway() {
        JobId waiting = submit(Ground.document("vision", 1, 8));
        JobId gone = submit(Ground.document("vision", 1, 8));
        ledger.apply(gone, new LifecycleEvent.Cancel(), Cause.system("test"));
        for (JobId job : List.of(waiting, gone)) {
            jdbc.sql("insert into explanation (job_id, as_of, place, body, digest) values (?, now(), 1, '{}', '')"
                            + " on conflict do nothing")
                    .param(job.value())
                    .update();
        }

        prune.prune();

        assertThat(count("select count(*) from explanation where job_id = " + waiting))
                .isEqualTo(1);
        assertThat(count("select count(*) from explanation where job_id = " + gone))
                .isZero();
    }

    private void book() {
        books.book(
                clock.instant(),
                Map.of(Ground.POOL, 3_600_000L),
                Duration.ofDays(7),
                List.of(new UsageBook.Entitlement(team, Ground.POOL, 16)));
    }

    private long used() {
        return count("select coalesce(sum(gpu_seconds), 0) from usage_day");
    }
}
