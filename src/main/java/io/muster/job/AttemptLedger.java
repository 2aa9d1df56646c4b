package io.muster.job;

import io.muster.database.Columns;
import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Opens attempts, and keeps what their programs tell. */
@Component
public class AttemptLedger {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ATTEMPT = """
            insert into attempt (job_id, number, revision, pool, gpu_type, level, domain, backfilled, placed_at,
                replicas, gpus, resume_path, resume_step)
            select job.id, w.number, job.revision, w.pool, w.type, w.level,
                array(select jsonb_array_elements_text(w.domain::jsonb)), w.backfilled, :at, w.replicas, w.gpus,
                job.resume_path, job.resume_step
            from unnest(:jobs::bigint[], :numbers::integer[], :pools::text[], :types::text[], :levels::text[],
                    :domains::text[], :backfilled::boolean[], :replicas::integer[], :gpus::integer[])
                as w (job, number, pool, type, level, domain, backfilled, replicas, gpus)
            join job on job.id = w.job
            """;
    private static final String REPLICA = """
            insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes)
            select * from unnest(:jobs::bigint[], :attempts::integer[], :groups::text[], :indexes::integer[],
                :ranks::integer[], :nodes::text[], :gpus::integer[], :cpus::bigint[], :memory::bigint[])
            """;
    /** Rows are locked in order: not everybody who comes here holds the locks of their jobs. */
    static final String LOCKED = """
            , locked as (
                select job_id, number from attempt join w on (w.job, w.nth) = (job_id, number)
                order by job_id, number for no key update of attempt)
            """;

    private static final String PROGRESS = """
            with w as (
                select * from unnest(:jobs::bigint[], :numbers::integer[], :step::bigint[], :of::bigint[], :loss::float8[],
                    :at::timestamptz[]) as w (job, nth, step, steps, loss, at))
            """ + LOCKED + """
            update attempt a set step = w.step, of_steps = coalesce(w.steps, a.of_steps), loss = coalesce(w.loss, a.loss),
                progress_at = w.at, first_step_at = coalesce(a.first_step_at, w.at)
            from w join locked l on (l.job_id, l.number) = (w.job, w.nth)
            where a.job_id = w.job and a.number = w.nth and (a.progress_at is null or a.progress_at <= w.at)
            """;
    private static final String PRINTED = """
            with w as (
                select * from unnest(:jobs::bigint[], :numbers::integer[], :at::timestamptz[]) as w (job, nth, at))
            """ + LOCKED + """
            update attempt a set output_at = w.at
            from w join locked l on (l.job_id, l.number) = (w.job, w.nth)
            where a.job_id = w.job and a.number = w.nth and a.ended_at is null
                and (greatest(a.output_at, a.progress_at) is null
                    or greatest(a.output_at, a.progress_at) < w.at - interval '1 minute')
            """;
    private static final String FINISHED = """
            update attempt set program_finished = true
            from unnest(:jobs::bigint[], :numbers::integer[]) as w (job, number)
            where attempt.job_id = w.job and attempt.number = w.number and not program_finished
            """;

    private final NamedParameterJdbcTemplate jdbc;

    AttemptLedger(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * An attempt to open, of the job's current revision and from its resume point.
     *
     * @param placements every replica, in rank order
     */
    public record Opening(
            AttemptId attempt,
            PoolId pool,
            GpuTypeId gpuType,
            @Nullable String level,
            DomainPath domain,
            boolean backfilled,
            List<ReplicaPlacement> placements) {
        public Opening {
            placements = List.copyOf(placements);
        }
    }

    /** Writes attempts and their replicas, which hold their GPUs from now on; in the transaction of the start. */
    public void open(List<Opening> openings, Instant at) {
        jdbc.update(
                ATTEMPT,
                of(openings, Opening::attempt)
                        .all("at", SqlInstant.of(at))
                        .texts("pools", o -> o.pool().value())
                        .texts("types", o -> o.gpuType().value())
                        .texts("levels", Opening::level)
                        .texts(
                                "domains",
                                o -> JSON.writeValueAsString(o.domain().names()))
                        .flags("backfilled", Opening::backfilled)
                        .ints("replicas", o -> o.placements().size())
                        .ints(
                                "gpus",
                                o -> o.placements().stream()
                                        .mapToInt(p -> p.amount().gpus())
                                        .sum())
                        .params());
        openReplicas(openings.stream().flatMap(Seat::of).toList());
    }

    /** The place of one replica, by its rank. */
    private record Seat(AttemptId attempt, int rank, ReplicaPlacement place) {
        static Stream<Seat> of(Opening o) {
            return IntStream.range(0, o.placements().size())
                    .mapToObj(rank -> new Seat(o.attempt(), rank, o.placements().get(rank)));
        }
    }

    private void openReplicas(List<Seat> seats) {
        jdbc.update(
                REPLICA,
                Columns.of(seats)
                        .longs("jobs", s -> s.attempt().job().value())
                        .ints("attempts", s -> s.attempt().number())
                        .texts("groups", s -> s.place().group())
                        .ints("indexes", s -> s.place().index())
                        .ints("ranks", Seat::rank)
                        .texts("nodes", s -> s.place().node().value())
                        .ints("gpus", s -> s.place().amount().gpus())
                        .longs("cpus", s -> s.place().amount().cpuMillis())
                        .longs("memory", s -> s.place().amount().memoryBytes())
                        .params());
    }

    /** Progress of an attempt; {@code of} and {@code loss} null: as said before. */
    public record Progress(
            AttemptId attempt,
            long step,
            @Nullable Long of,
            @Nullable Double loss,
            Instant at) {}

    /** Keeps the newest progress of attempts; older news changes nothing. */
    public void progressed(List<Progress> news) {
        if (!news.isEmpty()) {
            jdbc.update(
                    PROGRESS,
                    of(news, Progress::attempt)
                            .longs("step", Progress::step)
                            .longs("of", Progress::of)
                            .doubles("loss", Progress::loss)
                            .instants("at", Progress::at)
                            .params());
        }
    }

    /**
     * Keeps when programs last printed, to the minute: whoever asks whether one is silent asks for many. One that reports
     * its progress is known to live anyway.
     */
    public void printed(SortedMap<AttemptId, Instant> news) {
        if (!news.isEmpty()) {
            jdbc.update(
                    PRINTED,
                    of(news.entrySet(), Map.Entry::getKey)
                            .instants("at", Map.Entry::getValue)
                            .params());
        }
    }

    /** Keeps that programs said they are done. */
    public void finished(SortedSet<AttemptId> attempts) {
        if (!attempts.isEmpty()) {
            jdbc.update(FINISHED, of(attempts, id -> id).params());
        }
    }

    private static <R> Columns<R> of(Collection<R> rows, Function<R, AttemptId> whose) {
        return Columns.of(rows)
                .longs("jobs", row -> whose.apply(row).job().value())
                .ints("numbers", row -> whose.apply(row).number());
    }
}
