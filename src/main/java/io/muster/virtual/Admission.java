package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.gateway.CommandOutcome;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.simulation.Behaviour;
import io.muster.virtual.NodeRows.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lets an attempt in: nodes take what has room and refuse the rest, as a kubelet does, so that a ledger that gave a GPU
 * twice would be found out here.
 */
final class Admission {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final JdbcClient jdbc;
    private final NodeRows nodes;
    private final ImageRows images;
    private final long seed;

    Admission(JdbcClient jdbc, NodeRows nodes, long seed) {
        this.jdbc = jdbc;
        this.nodes = nodes;
        this.images = new ImageRows(jdbc, seed);
        this.seed = seed;
    }

    /** Lets attempts in, one after the other, as far as their nodes have room; in the caller's transaction. */
    List<CommandOutcome> admit(List<AttemptSpec> attempts, Instant now) {
        Set<AttemptId> fresh = insert(attempts, now);
        List<AttemptSpec> arrivals =
                attempts.stream().filter(a -> fresh.contains(a.attempt())).toList();
        var room = new Vacancy(arrivals);
        var refused = new HashMap<AttemptId, CommandOutcome>();
        var admitted = new ArrayList<AttemptSpec>();
        for (AttemptSpec arrival : arrivals) {
            CommandOutcome refusal = room.take(arrival);
            if (refusal == null) {
                admitted.add(arrival);
            } else {
                refused.put(arrival.attempt(), refusal);
            }
        }
        remove(refused.keySet());
        insertPods(admitted, now);
        return attempts.stream()
                .map(a -> refused.getOrDefault(a.attempt(), new CommandOutcome.Done()))
                .toList();
    }

    /** Makes the attempts' rows; the attempts that were not there. */
    private Set<AttemptId> insert(List<AttemptSpec> attempts, Instant now) {
        return new HashSet<>(jdbc.sql("""
                        insert into virtual_attempt (job_id, attempt, seed, env, checkpoint_path, checkpoint_every_ms,
                            resume_step, created_at, told_until, telling_until, next_due_at)
                        select w.job, w.attempt, :seed, w.env::jsonb, w.path, w.every, w.step, :now, :before, :before, :now
                        from unnest(:jobs::bigint[], :attempts::integer[], :envs::text[], :paths::text[],
                            :everies::bigint[], :steps::bigint[]) as w (job, attempt, env, path, every, step)
                        order by w.job, w.attempt
                        on conflict do nothing
                        returning job_id, attempt
                        """)
                .param("seed", seed)
                .param("now", SqlInstant.of(now))
                .param("before", SqlInstant.of(now.minusMillis(1)))
                .param("jobs", each(attempts, a -> a.attempt().job().value()).toArray(Long[]::new))
                .param("attempts", each(attempts, a -> a.attempt().number()).toArray(Integer[]::new))
                .param(
                        "envs",
                        each(attempts, a -> JSON.writeValueAsString(env(a))).toArray(String[]::new))
                .param("paths", each(attempts, a -> a.checkpoint().path()).toArray(String[]::new))
                .param(
                        "everies",
                        each(attempts, a -> millis(a.checkpoint().every())).toArray(Long[]::new))
                .param(
                        "steps",
                        each(attempts, a -> a.resumeStep() == null ? 0L : a.resumeStep())
                                .toArray(Long[]::new))
                .query((row, _) -> new AttemptId(new JobId(row.getLong(1)), row.getInt(2)))
                .list());
    }

    private void remove(Set<AttemptId> refused) {
        if (!refused.isEmpty()) {
            jdbc.sql("""
                    delete from virtual_attempt a using unnest(:jobs::bigint[], :attempts::integer[]) as w (job, attempt)
                    where a.job_id = w.job and a.attempt = w.attempt
                    """)
                    .param("jobs", refused.stream().map(id -> id.job().value()).toArray(Long[]::new))
                    .param("attempts", refused.stream().map(AttemptId::number).toArray(Integer[]::new))
                    .update();
        }
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    /** What the nodes of some attempts have free, locked; it shrinks as attempts take it. */
    private final class Vacancy {
        private final Map<NodeId, Row> rows;
        private final Map<NodeId, Resources> held;

        Vacancy(List<AttemptSpec> attempts) {
            var wanted = new TreeSet<NodeId>();
            attempts.forEach(a -> a.replicas().forEach(r -> wanted.add(r.node())));
            rows = wanted.isEmpty() ? Map.of() : nodes.lock(wanted);
            held = wanted.isEmpty() ? Map.of() : nodes.held(wanted);
        }

        /** Takes what all its pods need, or nothing and says why not. */
        @Nullable CommandOutcome take(AttemptSpec attempt) {
            var wanted = new TreeMap<NodeId, Resources>();
            attempt.replicas().forEach(r -> wanted.merge(r.node(), r.amount(), Resources::plus));
            for (Map.Entry<NodeId, Resources> want : wanted.entrySet()) {
                NodeId id = want.getKey();
                Optional<CommandOutcome> refused =
                        refusal(id, rows.get(id), want.getValue(), held.getOrDefault(id, Resources.NONE));
                if (refused.isPresent()) {
                    return refused.get();
                }
            }
            wanted.forEach((node, amount) -> held.merge(node, amount, Resources::plus));
            return null;
        }
    }

    private static Optional<CommandOutcome> refusal(NodeId id, @Nullable Row row, Resources wants, Resources held) {
        if (row == null || row.deleted() || row.isLost()) {
            return refused(FailureClass.NODE_LOST, "node " + id + (row == null ? " does not exist" : " is lost"));
        }
        if (!row.takesPods()) {
            return refused(FailureClass.ADMISSION, "node " + id + " takes no pods");
        }
        Resources free = row.node().offers().minus(row.node().foreign()).minus(held);
        return wants.fitsIn(free)
                ? Optional.empty()
                : refused(FailureClass.ADMISSION, "node " + id + " has free " + free + ", not " + wants);
    }

    private static Optional<CommandOutcome> refused(FailureClass failure, String why) {
        return Optional.of(new CommandOutcome.Refused(failure, why));
    }

    private void insertPods(List<AttemptSpec> attempts, Instant now) {
        if (attempts.isEmpty()) {
            return;
        }
        List<Duration> pulls = images.pulls(attempts, now);
        jdbc.sql("""
                insert into virtual_pod (job_id, attempt, rank_order, grp, idx, node, gpus, cpu_millis, memory_bytes,
                    image, pull_ms)
                select * from unnest(:jobs::bigint[], :attempts::integer[], :ranks::integer[], :groups::text[],
                    :indexes::integer[], :nodes::text[], :gpus::integer[], :cpus::bigint[], :memory::bigint[],
                    :images::text[], :pulls::bigint[])
                """)
                .param(
                        "jobs",
                        all(attempts, r -> r.id().attempt().job().value()).toArray(Long[]::new))
                .param("attempts", all(attempts, r -> r.id().attempt().number()).toArray(Integer[]::new))
                .param(
                        "ranks",
                        attempts.stream()
                                .flatMap(a ->
                                        IntStream.range(0, a.replicas().size()).boxed())
                                .toArray(Integer[]::new))
                .param("groups", all(attempts, r -> r.id().group()).toArray(String[]::new))
                .param("indexes", all(attempts, r -> r.id().index()).toArray(Integer[]::new))
                .param("nodes", all(attempts, r -> r.node().value()).toArray(String[]::new))
                .param("gpus", all(attempts, r -> r.amount().gpus()).toArray(Integer[]::new))
                .param("cpus", all(attempts, r -> r.amount().cpuMillis()).toArray(Long[]::new))
                .param("memory", all(attempts, r -> r.amount().memoryBytes()).toArray(Long[]::new))
                .param("images", all(attempts, ReplicaSpec::image).toArray(String[]::new))
                .param("pulls", pulls.stream().map(Duration::toMillis).toArray(Long[]::new))
                .update();
    }

    private static <T extends @Nullable Object> Stream<T> each(
            List<AttemptSpec> attempts, Function<AttemptSpec, T> what) {
        return attempts.stream().map(what);
    }

    static <T> Stream<T> all(List<AttemptSpec> attempts, Function<ReplicaSpec, T> what) {
        return attempts.stream().flatMap(a -> a.replicas().stream()).map(what);
    }

    /** The variables that matter here; rank 0 speaks for its attempt. The rest may be secret and is not kept. */
    static Map<String, String> env(AttemptSpec spec) {
        var env = new TreeMap<String, String>();
        spec.replicas().getFirst().env().forEach((name, value) -> {
            if (name.startsWith(Behaviour.PREFIX)) {
                env.put(name, value);
            }
        });
        return env;
    }
}
