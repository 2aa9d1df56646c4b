package io.muster.virtual;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.AttemptSpec.Checkpointing;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.gateway.ClusterObserver;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.simulation.FleetNode;
import io.muster.support.Database;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Virtual clusters for tests: small, on a real database, with a clock of the test's own where it wants one. */
final class Rows {
    private Rows() {}

    static VirtualParts parts(Database database, Clock clock, ClusterObserver observer) {
        return parts(database, clock, observer, null);
    }

    static VirtualParts parts(Database database, Clock clock, ClusterObserver observer, @Nullable Duration mtbf) {
        var properties = new VirtualProperties(
                "unused",
                Duration.ofMillis(50),
                Duration.ofMillis(300),
                BigDecimal.ONE,
                1,
                Duration.ofMinutes(1),
                mtbf,
                Duration.ofMinutes(15));
        var transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
        return new VirtualParts(database.jdbc(), transaction, clock, properties, observer);
    }

    /** Nodes n1, n2, ... of 8 GPUs each. */
    static List<FleetNode> fleet(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(i -> node("n" + i)).toList();
    }

    static FleetNode node(String name) {
        return new FleetNode(
                new NodeId(name),
                Map.of("kubernetes.io/hostname", name),
                List.of(),
                "nvidia.com/gpu",
                new Resources(8, 192_000, 2L << 40),
                true,
                false,
                List.of(),
                Resources.NONE);
    }

    static FleetNode withForeign(FleetNode node, Resources foreign) {
        return new FleetNode(
                node.id(),
                node.labels(),
                node.taints(),
                node.gpuResource(),
                node.offers(),
                node.ready(),
                node.unschedulable(),
                node.badConditions(),
                foreign);
    }

    /** One replica of {@code gpus} on each of the nodes; trains 1,000 steps in 1,000 seconds. */
    static AttemptSpec attempt(long job, int gpus, String... nodes) {
        return attempt(new AttemptId(new JobId(job), 1), gpus, Map.of(), null, nodes);
    }

    static AttemptSpec attempt(
            AttemptId id, int gpus, Map<String, String> more, @Nullable Long resumeStep, String... nodes) {
        var env = new TreeMap<>(Map.of(
                "VIRTUAL_DURATION", "1000s",
                "VIRTUAL_STEPS", "1000",
                "VIRTUAL_SAVE", "5s",
                "VIRTUAL_START", "0s",
                "VIRTUAL_REPORT", "10s",
                "VIRTUAL_PULL", "0s"));
        env.putAll(more);
        return new AttemptSpec(
                id,
                new TeamId(new UUID(0, 1)),
                new TeamPath("research"),
                "test",
                new PoolId("h100"),
                "nvidia.com/gpu",
                PodProfile.SHIPPED,
                IntStream.range(0, nodes.length)
                        .mapToObj(i -> new ReplicaSpec(
                                new ReplicaId(id, "worker", i),
                                new NodeId(nodes[i]),
                                new Resources(gpus, 1_000, 1L << 30),
                                0,
                                "images.example/train:1",
                                List.of(),
                                null,
                                env,
                                List.of()))
                        .toList(),
                new Checkpointing(CheckpointWay.FILE, Duration.ofMinutes(1), Duration.ofSeconds(300), "/ckpt"),
                null,
                resumeStep,
                "token",
                "http://muster.example");
    }

    /** A clock that stands until the test lets time pass. */
    static final class TestClock extends Clock {
        private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
