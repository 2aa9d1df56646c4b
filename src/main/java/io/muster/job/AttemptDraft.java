package io.muster.job;

import io.muster.database.Columns;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** The newest attempt's row while one event of its job is worked into it. */
final class AttemptDraft {
    private static final String WRITE = """
            with w as (
                select * from unnest(:jobs::bigint[], :numbers::integer[], :running::timestamptz[], :ended::timestamptz[],
                        :failures::text[], :messages::text[], :beneficiaries::bigint[], :moves::boolean[],
                        :signals::text[], :signalsAt::timestamptz[], :deadlines::timestamptz[], :thenStop::boolean[],
                        :lost::bigint[])
                    as w (job, nth, running, ended, failure, message, beneficiary, moves, signal, signal_at, deadline,
                        then_stop, lost))
            """ + AttemptLedger.LOCKED + """
            update attempt a set running_at = w.running, ended_at = w.ended, failure = w.failure, message = w.message,
                beneficiary = w.beneficiary, moves = w.moves, signal_id = w.signal::uuid, signal_at = w.signal_at,
                signal_deadline = w.deadline, signal_then_stop = w.then_stop, lost_gpu_seconds = w.lost
            from w join locked l on (l.job_id, l.number) = (w.job, w.nth)
            where a.job_id = w.job and a.number = w.nth
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

    /** Writes what of these says something new, in one statement. */
    static void write(Collection<AttemptDraft> drafts, NamedParameterJdbcTemplate jdbc) {
        List<AttemptDraft> news = drafts.stream().filter(AttemptDraft::isNews).toList();
        if (news.isEmpty()) {
            return;
        }
        jdbc.update(
                WRITE,
                Columns.of(news)
                        .longs("jobs", d -> d.was.id().job().value())
                        .ints("numbers", d -> d.was.id().number())
                        .instants("running", d -> d.runningAt)
                        .instants("ended", d -> d.endedAt)
                        .texts("failures", d -> d.failure == null ? null : d.failure.name())
                        .texts("messages", d -> d.message)
                        .longs("beneficiaries", d -> d.beneficiary == null ? null : d.beneficiary.value())
                        .flags("moves", d -> d.moves)
                        .texts(
                                "signals",
                                d -> d.signal == null ? null : d.signal.id().toString())
                        .instants("signalsAt", d -> d.signal == null ? null : d.signal.at())
                        .instants("deadlines", d -> d.signal == null ? null : d.signal.deadline())
                        .flags("thenStop", d -> d.signal == null ? null : d.signal.thenStop())
                        .longs("lost", d -> d.lostGpuSeconds)
                        .params());
    }

    private boolean isNews() {
        return moves != was.moves()
                || lostGpuSeconds != was.lostGpuSeconds()
                || failure != was.failure()
                || !Objects.equals(runningAt, was.runningAt())
                || !Objects.equals(endedAt, was.endedAt())
                || !Objects.equals(message, was.message())
                || !Objects.equals(beneficiary, was.beneficiary())
                || !Objects.equals(signal, was.signal());
    }
}
