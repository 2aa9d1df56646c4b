package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** A job's row while one event is worked into it; written by compare-and-set on the version it was read at. */
final class JobDraft {
    static final String WRITE = """
            update job set state = :state, after_state = :after, attempt = :attempt, waiting_since = :waiting,
                first_started_at = :first, ended_at = :ended, hold_why = :hold, backoff_until = :backoffUntil,
                backoff_after = :backoffAfter, not_beside = :notBeside, ran_seconds = :ran,
                ran_gpu_seconds = ran_gpu_seconds + :ranGpu, preempted_at = :preempted::timestamptz[], protected_until = :protected, failure = :failure,
                failure_message = :failureMessage, version = version + 1
            where id = :id and version = :version
            """;

    final LedgerJob was;
    Life life;
    int attempt;
    Instant waitingSince;

    @Nullable Instant firstStartedAt;

    @Nullable Instant endedAt;

    @Nullable String holdWhy;

    @Nullable Instant backoffUntil;

    @Nullable FailureClass backoffAfter;

    List<JobId> notBeside;
    long ranSeconds;

    /** GPU-seconds of the attempt that ends now. */
    long moreGpuSeconds;

    List<Instant> preemptedAt;

    @Nullable Instant protectedUntil;

    @Nullable FailureClass failure;

    @Nullable String failureMessage;

    JobDraft(LedgerJob was) {
        this.was = was;
        life = was.life();
        attempt = was.attempt();
        waitingSince = was.waitingSince();
        firstStartedAt = was.past().firstStartedAt();
        holdWhy = was.past().holdWhy();
        backoffUntil = was.past().backoffUntil();
        backoffAfter = was.past().backoffAfter();
        notBeside = new ArrayList<>(was.past().notBeside());
        ranSeconds = was.past().ranSeconds();
        preemptedAt = new ArrayList<>(was.past().preemptedAt());
        protectedUntil = was.past().protectedUntil();
    }

    MapSqlParameterSource params() {
        return new MapSqlParameterSource()
                .addValue("id", was.id().value())
                .addValue("version", was.version())
                .addValue("state", life.state().name())
                .addValue("after", name(life.after()))
                .addValue("attempt", attempt)
                .addValue("waiting", SqlInstant.of(waitingSince))
                .addValue("first", SqlInstant.ofNullable(firstStartedAt))
                .addValue("ended", SqlInstant.ofNullable(endedAt))
                .addValue("hold", holdWhy)
                .addValue("backoffUntil", SqlInstant.ofNullable(backoffUntil))
                .addValue("backoffAfter", name(backoffAfter))
                .addValue("notBeside", notBeside.stream().map(JobId::value).toArray(Long[]::new))
                .addValue("ran", ranSeconds)
                .addValue("ranGpu", moreGpuSeconds)
                .addValue(
                        "preempted", preemptedAt.stream().map(Instant::toString).toArray(String[]::new))
                .addValue("protected", SqlInstant.ofNullable(protectedUntil))
                .addValue("failure", name(failure))
                .addValue("failureMessage", failureMessage);
    }

    private static @Nullable String name(@Nullable Enum<?> value) {
        return value == null ? null : value.name();
    }
}
