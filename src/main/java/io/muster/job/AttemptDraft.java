package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The newest attempt's row while one event of its job is worked into it. */
final class AttemptDraft {
    static final String WRITE = """
            update attempt set running_at = :running, ended_at = :ended, failure = :failure, message = :message,
                beneficiary = :beneficiary, moves = :moves, signal_id = :signal, signal_at = :signalAt,
                signal_deadline = :deadline, signal_then_stop = :thenStop, lost_gpu_seconds = :lost
            where job_id = :job and number = :number
            """;

    final LedgerAttempt was;

    @Nullable Instant runningAt;

    @Nullable Instant endedAt;

    @Nullable FailureClass failure;

    @Nullable String message;

    @Nullable JobId beneficiary;

    boolean moves;
    LedgerAttempt.@Nullable Signal signal;
    long lostGpuSeconds;

    AttemptDraft(LedgerAttempt was) {
        this.was = was;
        runningAt = was.runningAt();
        endedAt = was.endedAt();
        failure = was.failure();
        message = was.message();
        beneficiary = was.beneficiary();
        moves = was.moves();
        signal = was.signal();
        lostGpuSeconds = was.lostGpuSeconds();
    }

    MapSqlParameterSource params() {
        return new MapSqlParameterSource()
                .addValue("job", was.id().job().value())
                .addValue("number", was.id().number())
                .addValue("running", SqlInstant.ofNullable(runningAt))
                .addValue("ended", SqlInstant.ofNullable(endedAt))
                .addValue("failure", failure == null ? null : failure.name())
                .addValue("message", message)
                .addValue("beneficiary", beneficiary == null ? null : beneficiary.value())
                .addValue("moves", moves)
                .addValue("signal", signal == null ? null : signal.id())
                .addValue("signalAt", signal == null ? null : SqlInstant.of(signal.at()))
                .addValue("deadline", signal == null ? null : SqlInstant.of(signal.deadline()))
                .addValue("thenStop", signal == null ? null : signal.thenStop())
                .addValue("lost", lostGpuSeconds);
    }
}
