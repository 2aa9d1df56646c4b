package io.muster.job;

import io.muster.database.Columns;
import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** A job's row while one event is worked into it; written by compare-and-set on the version it was read at. */
final class JobDraft {
    private static final String WRITE = """
            update job set state = w.state, after_state = w.after, attempt = w.attempt,
                pool = coalesce(w.pool, job.pool), waiting_since = w.waiting, first_started_at = w.first,
                ended_at = w.ended, hold_why = w.hold, backoff_until = w.backoff_until,
                backoff_after = w.backoff_after, not_beside = w.not_beside::bigint[], ran_seconds = w.ran,
                ran_gpu_seconds = ran_gpu_seconds + w.ran_gpu, preempted_at = w.preempted::timestamptz[],
                protected_until = w.protected, failure = w.failure, failure_message = w.failure_message,
                version = job.version + 1
            from unnest(:ids::bigint[], :versions::bigint[], :states::text[], :afters::text[], :attempts::integer[],
                    :pools::text[], :waiting::timestamptz[], :first::timestamptz[], :ended::timestamptz[], :hold::text[],
                    :backoffUntil::timestamptz[], :backoffAfter::text[], :notBeside::text[], :ran::bigint[],
                    :ranGpu::bigint[], :preempted::text[], :protected::timestamptz[], :failures::text[],
                    :failureMessages::text[])
                as w (id, version, state, after, attempt, pool, waiting, first, ended, hold, backoff_until, backoff_after,
                    not_beside, ran, ran_gpu, preempted, protected, failure, failure_message)
            where job.id = w.id and job.version = w.version
            """;

    final LedgerJob was;
    Life life;
    int attempt;
    Instant waitingSince;

    /** Where it starts now; null: as before. */
    @Nullable String pool;

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

    /** Writes drafts in one statement; the number of those whose row still stood at the version it was read at. */
    static int write(Collection<JobDraft> drafts, NamedParameterJdbcTemplate jdbc) {
        return jdbc.update(
                WRITE,
                Columns.of(drafts)
                        .longs("ids", d -> d.was.id().value())
                        .longs("versions", d -> d.was.version())
                        .texts("states", d -> d.life.state().name())
                        .texts("afters", d -> name(d.life.after()))
                        .ints("attempts", d -> d.attempt)
                        .texts("pools", d -> d.pool)
                        .instants("waiting", d -> d.waitingSince)
                        .instants("first", d -> d.firstStartedAt)
                        .instants("ended", d -> d.endedAt)
                        .texts("hold", d -> d.holdWhy)
                        .instants("backoffUntil", d -> d.backoffUntil)
                        .texts("backoffAfter", d -> name(d.backoffAfter))
                        .texts(
                                "notBeside",
                                d -> Columns.literal(
                                        d.notBeside.stream().map(JobId::value).toList()))
                        .longs("ran", d -> d.ranSeconds)
                        .longs("ranGpu", d -> d.moreGpuSeconds)
                        .texts("preempted", d -> Columns.literal(d.preemptedAt))
                        .instants("protected", d -> d.protectedUntil)
                        .texts("failures", d -> name(d.failure))
                        .texts("failureMessages", d -> d.failureMessage)
                        .params());
    }

    private static @Nullable String name(@Nullable Enum<?> value) {
        return value == null ? null : value.name();
    }
}
