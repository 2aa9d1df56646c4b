package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What programs saved, and from which of it a job goes on. */
@Component
public class CheckpointLedger {
    private final JdbcClient jdbc;

    CheckpointLedger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Records a checkpoint of an attempt, in the caller's transaction. Work up to it is saved, so a stop that is under
     * way loses nothing any more.
     *
     * @return false when it was known already, or the attempt is not
     */
    public boolean saved(
            AttemptId attempt, @Nullable UUID signal, long step, String path, @Nullable Long bytes, Instant at) {
        int added = jdbc.sql("""
                        insert into checkpoint (job_id, attempt, step, path, bytes, signal_id, at)
                        select job_id, number, :step, :path, :bytes, :signal, :at from attempt
                        where job_id = :job and number = :number
                        on conflict do nothing
                        """)
                .param("job", attempt.job().value())
                .param("number", attempt.number())
                .param("step", step)
                .param("path", path)
                .param("bytes", bytes)
                .param("signal", signal)
                .param("at", SqlInstant.of(at))
                .update();
        if (added == 1) {
            jdbc.sql("""
                            update attempt set last_checkpoint_at = :at, last_checkpoint_step = :step,
                                saved_at = case when signal_id is not null then :at else saved_at end,
                                lost_gpu_seconds = 0
                            where job_id = :job and number = :number
                                and (last_checkpoint_at is null or last_checkpoint_at <= :at)
                            """)
                    .param("job", attempt.job().value())
                    .param("number", attempt.number())
                    .param("step", step)
                    .param("at", SqlInstant.of(at))
                    .update();
        }
        if (added == 1 && isWaiting(attempt.job())) {
            resumeFromNewest(List.of(attempt.job()));
        }
        return added == 1;
    }

    /** News of a save may come when the pods are gone already; whoever waits goes on from it all the same. */
    private boolean isWaiting(JobId job) {
        return jdbc.sql("select exists (select from job where id = :job and state in ('QUEUED', 'HELD'))")
                .param("job", job.value())
                .query(Boolean.class)
                .single();
    }

    /**
     * Sets where jobs go on: at the newest checkpoint that has not proven bad. One is bad when an attempt that went on
     * from it ended at once by itself, without a step: then it goes on from the one before.
     */
    void resumeFromNewest(List<JobId> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        jdbc.sql("""
                        update job set resume_path = newest.path, resume_step = newest.step
                        from unnest(:jobs::bigint[]) as w (job_id)
                        cross join lateral (
                            select c.path, c.step from checkpoint c
                            where c.job_id = w.job_id and not exists (
                                select from attempt a
                                where a.job_id = c.job_id and a.resume_path = c.path and a.resume_step = c.step
                                    and a.failure in ('USER_ERROR', 'UNKNOWN') and a.first_step_at is null
                                    and a.ended_at < a.running_at + interval '5 minutes')
                            order by c.id desc limit 1) newest
                        where job.id = w.job_id
                        """)
                .param("jobs", jobs.stream().map(JobId::value).toArray(Long[]::new))
                .update();
    }
}
