package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.stereotype.Component;

/** Opens attempts, and keeps what their programs tell. */
@Component
public class AttemptLedger {
    private static final String ATTEMPT = """
            insert into attempt (job_id, number, revision, pool, gpu_type, level, domain, backfilled, placed_at,
                replicas, gpus, resume_path, resume_step)
            select id, :number, revision, :pool, :type, :level, :domain, :backfilled, :at,
                :replicas, :gpus, resume_path, resume_step
            from job where id = :job
            """;
    private static final String REPLICA = """
            insert into replica (job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes)
            values (:job, :attempt, :grp, :idx, :rank, :node, :gpus, :cpu, :memory)
            """;
    private static final String PROGRESS = """
            update attempt set step = :step, of_steps = coalesce(:of, of_steps), loss = coalesce(:loss, loss),
                progress_at = :at, first_step_at = coalesce(first_step_at, :at)
            where job_id = :job and number = :number and (progress_at is null or progress_at <= :at)
            """;
    private static final String PRINTED = """
            update attempt set output_at = :at where job_id = :job and number = :number and ended_at is null
                and (greatest(output_at, progress_at) is null
                    or greatest(output_at, progress_at) < :at - interval '1 minute')
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
        jdbc.batchUpdate(ATTEMPT, batch(openings.stream().map(o -> attempt(o, at))));
        jdbc.batchUpdate(REPLICA, batch(openings.stream().flatMap(AttemptLedger::replicas)));
        jdbc.batchUpdate(
                "update job set pool = :pool where id = :job",
                batch(openings.stream()
                        .map(o -> new MapSqlParameterSource("job", job(o.attempt()))
                                .addValue("pool", o.pool().value()))));
    }

    private static MapSqlParameterSource attempt(Opening o, Instant at) {
        return new MapSqlParameterSource()
                .addValue("job", job(o.attempt()))
                .addValue("number", o.attempt().number())
                .addValue("pool", o.pool().value())
                .addValue("type", o.gpuType().value())
                .addValue("level", o.level())
                .addValue("domain", o.domain().names().toArray(String[]::new))
                .addValue("backfilled", o.backfilled())
                .addValue("at", SqlInstant.of(at))
                .addValue("replicas", o.placements().size())
                .addValue(
                        "gpus",
                        o.placements().stream().mapToInt(p -> p.amount().gpus()).sum());
    }

    private static Stream<MapSqlParameterSource> replicas(Opening o) {
        return IntStream.range(0, o.placements().size())
                .mapToObj(rank -> replica(o.attempt(), o.placements().get(rank), rank));
    }

    private static MapSqlParameterSource replica(AttemptId attempt, ReplicaPlacement place, int rank) {
        return new MapSqlParameterSource()
                .addValue("job", job(attempt))
                .addValue("attempt", attempt.number())
                .addValue("grp", place.group())
                .addValue("idx", place.index())
                .addValue("rank", rank)
                .addValue("node", place.node().value())
                .addValue("gpus", place.amount().gpus())
                .addValue("cpu", place.amount().cpuMillis())
                .addValue("memory", place.amount().memoryBytes());
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
        jdbc.batchUpdate(
                PROGRESS,
                batch(news.stream()
                        .map(p -> new MapSqlParameterSource()
                                .addValue("job", job(p.attempt()))
                                .addValue("number", p.attempt().number())
                                .addValue("step", p.step())
                                .addValue("of", p.of(), java.sql.Types.BIGINT)
                                .addValue("loss", p.loss(), java.sql.Types.DOUBLE)
                                .addValue("at", SqlInstant.of(p.at())))));
    }

    /**
     * Keeps when programs last printed, to the minute: whoever asks whether one is silent asks for many. One that reports
     * its progress is known to live anyway.
     */
    public void printed(SortedMap<AttemptId, Instant> news) {
        jdbc.batchUpdate(
                PRINTED,
                batch(news.entrySet().stream()
                        .map(e -> new MapSqlParameterSource()
                                .addValue("job", job(e.getKey()))
                                .addValue("number", e.getKey().number())
                                .addValue("at", SqlInstant.of(e.getValue())))));
    }

    /** Keeps that programs said they are done. */
    public void finished(SortedSet<AttemptId> attempts) {
        jdbc.batchUpdate(
                "update attempt set program_finished = true where job_id = :job and number = :number",
                batch(attempts.stream()
                        .map(id -> new MapSqlParameterSource("job", job(id)).addValue("number", id.number()))));
    }

    private static long job(AttemptId attempt) {
        return attempt.job().value();
    }

    private static SqlParameterSource[] batch(Stream<MapSqlParameterSource> rows) {
        return rows.toArray(SqlParameterSource[]::new);
    }
}
