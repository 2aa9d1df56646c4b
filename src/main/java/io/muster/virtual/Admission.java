package io.muster.virtual;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.gateway.CommandOutcome;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.simulation.Behaviour;
import io.muster.simulation.Images;
import io.muster.virtual.NodeRows.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
    private final long seed;

    Admission(JdbcClient jdbc, NodeRows nodes, long seed) {
        this.jdbc = jdbc;
        this.nodes = nodes;
        this.seed = seed;
    }

    /** Makes the attempt's row; false when it is there already. */
    boolean insert(AttemptSpec spec, Instant now) {
        Duration every = spec.checkpoint().every();
        return jdbc.sql("""
                        insert into virtual_attempt (job_id, attempt, seed, env, checkpoint_path, checkpoint_every_ms,
                            resume_step, created_at, told_until, telling_until, next_due_at)
                        values (:job, :attempt, :seed, :env::jsonb, :path, :every, :step, :now, :before, :before, :now)
                        on conflict do nothing
                        """)
                        .param("job", spec.attempt().job().value())
                        .param("attempt", spec.attempt().number())
                        .param("seed", seed)
                        .param("env", JSON.writeValueAsString(env(spec)))
                        .param("path", spec.checkpoint().path())
                        .param("every", every == null ? null : every.toMillis())
                        .param("step", spec.resumeStep() == null ? 0 : spec.resumeStep())
                        .param("now", SqlTime.of(now))
                        .param("before", SqlTime.of(now.minusMillis(1)))
                        .update()
                == 1;
    }

    /** Puts every pod on its node, or says why not; then the transaction must not be kept. */
    Optional<CommandOutcome> place(AttemptSpec spec, Instant now) {
        List<ReplicaSpec> replicas = spec.replicas();
        var wanted = new TreeMap<NodeId, Resources>();
        replicas.forEach(r -> wanted.merge(r.node(), r.amount(), Resources::plus));
        Map<NodeId, Row> rows = nodes.lock(wanted.keySet());
        Map<NodeId, Resources> held = nodes.held(wanted.keySet());
        for (Map.Entry<NodeId, Resources> want : wanted.entrySet()) {
            NodeId id = want.getKey();
            Optional<CommandOutcome> refused =
                    refusal(id, rows.get(id), want.getValue(), held.getOrDefault(id, Resources.NONE));
            if (refused.isPresent()) {
                return refused;
            }
        }
        insertPods(replicas, pulls(replicas, Behaviour.of(spec.attempt(), seed, env(spec)), now));
        return Optional.empty();
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

    /** How long each replica waits for its image, now that this or an earlier pod has made its node pull it. */
    private List<Duration> pulls(List<ReplicaSpec> replicas, Behaviour behaviour, Instant now) {
        Map<NodeId, Map<String, Instant>> ready = ready(replicas);
        return replicas.stream()
                .map(replica -> {
                    Instant at = ready.computeIfAbsent(replica.node(), _ -> new HashMap<>())
                            .computeIfAbsent(replica.image(), _ -> pull(replica, behaviour, now));
                    Duration left = Duration.between(now, at);
                    return left.compareTo(Images.CACHED) > 0 ? left : Images.CACHED;
                })
                .toList();
    }

    private Map<NodeId, Map<String, Instant>> ready(List<ReplicaSpec> replicas) {
        var ready = new HashMap<NodeId, Map<String, Instant>>();
        jdbc.sql("select node, image, ready_at from virtual_image where node = any(:nodes) and image = any(:images)")
                .param(
                        "nodes",
                        replicas.stream().map(r -> r.node().value()).distinct().toArray(String[]::new))
                .param(
                        "images",
                        replicas.stream().map(ReplicaSpec::image).distinct().toArray(String[]::new))
                .query(row -> {
                    ready.computeIfAbsent(new NodeId(row.getString(1)), _ -> new HashMap<>())
                            .put(row.getString(2), SqlTime.at(row, "ready_at"));
                });
        return ready;
    }

    private Instant pull(ReplicaSpec replica, Behaviour behaviour, Instant now) {
        Instant readyAt = now.plus(
                behaviour.pull() != null ? behaviour.pull() : Images.firstPull(seed, replica.node(), replica.image()));
        jdbc.sql("insert into virtual_image (node, image, ready_at) values (?, ?, ?) on conflict do nothing")
                .params(replica.node().value(), replica.image(), SqlTime.of(readyAt))
                .update();
        return readyAt;
    }

    private void insertPods(List<ReplicaSpec> replicas, List<Duration> pulls) {
        jdbc.sql("""
                insert into virtual_pod (job_id, attempt, rank_order, grp, idx, node, gpus, cpu_millis, memory_bytes,
                    image, pull_ms)
                select * from unnest(:jobs::bigint[], :attempts::integer[], :ranks::integer[], :groups::text[],
                    :indexes::integer[], :nodes::text[], :gpus::integer[], :cpus::bigint[], :memory::bigint[],
                    :images::text[], :pulls::bigint[])
                """)
                .param(
                        "jobs",
                        each(replicas, r -> r.id().attempt().job().value()).toArray(Long[]::new))
                .param(
                        "attempts",
                        each(replicas, r -> r.id().attempt().number()).toArray(Integer[]::new))
                .param("ranks", IntStream.range(0, replicas.size()).boxed().toArray(Integer[]::new))
                .param("groups", each(replicas, r -> r.id().group()).toArray(String[]::new))
                .param("indexes", each(replicas, r -> r.id().index()).toArray(Integer[]::new))
                .param("nodes", each(replicas, r -> r.node().value()).toArray(String[]::new))
                .param("gpus", each(replicas, r -> r.amount().gpus()).toArray(Integer[]::new))
                .param("cpus", each(replicas, r -> r.amount().cpuMillis()).toArray(Long[]::new))
                .param("memory", each(replicas, r -> r.amount().memoryBytes()).toArray(Long[]::new))
                .param("images", each(replicas, ReplicaSpec::image).toArray(String[]::new))
                .param("pulls", pulls.stream().map(Duration::toMillis).toArray(Long[]::new))
                .update();
    }

    private static <T> Stream<T> each(List<ReplicaSpec> replicas, Function<ReplicaSpec, T> what) {
        return replicas.stream().map(what);
    }

    /** The variables that matter here; rank 0 speaks for its attempt. The rest may be secret and is not kept. */
    private static Map<String, String> env(AttemptSpec spec) {
        var env = new TreeMap<String, String>();
        spec.replicas().getFirst().env().forEach((name, value) -> {
            if (name.startsWith(Behaviour.PREFIX)) {
                env.put(name, value);
            }
        });
        return env;
    }
}
