package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.Reason;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Why a job waits: asked of the core anew, and if that fails, what the last cycle wrote. */
@Service
public class Explanations {
    private static final Logger LOG = LoggerFactory.getLogger(Explanations.class);

    private final ObjectProvider<Feasibility> feasibility;
    private final JdbcClient jdbc;
    private final Clock clock;

    Explanations(ObjectProvider<Feasibility> feasibility, JdbcClient jdbc, Clock clock) {
        this.feasibility = feasibility;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Empty when the job does not wait. */
    public Optional<Explanation> of(JobRow job) {
        if (job.life().state() != JobState.QUEUED && job.life().state() != JobState.HELD) {
            return Optional.empty();
        }
        return fresh(job.id()).or(() -> stored(job.id())).or(() -> Optional.of(notYet(job.id())));
    }

    private Optional<Explanation> fresh(JobId job) {
        return orNone(
                () -> feasibility.getObject().explain(job),
                e -> LOG.error("Job {}: no fresh explanation; the last cycle's is given", job, e));
    }

    private Optional<Explanation> stored(JobId job) {
        return orNone(() -> read(job), e -> LOG.debug("What the last cycle wrote of job {} cannot be read", job, e));
    }

    /** A database that does not answer is nothing that another explanation could stand in for. */
    private static Optional<Explanation> orNone(Supplier<Optional<Explanation>> ask, Consumer<RuntimeException> note) {
        try {
            return ask.get();
        } catch (DataAccessException e) {
            throw e;
        } catch (RuntimeException e) {
            note.accept(e);
            return Optional.empty();
        }
    }

    private Optional<Explanation> read(JobId job) {
        return jdbc.sql("select body, as_of from explanation where job_id = :job")
                .param("job", job.value())
                .query((row, n) ->
                        ExplanationCodec.fromJson(row.getString("body")).at(SqlInstant.read(row, "as_of")))
                .optional();
    }

    private Explanation notYet(JobId job) {
        return new Explanation(
                job, clock.instant(), List.of(new Reason.NotYetPlanned()), 0, List.of(), null, null, List.of());
    }
}
