package io.muster.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Refusal;
import io.muster.model.Resources;
import io.muster.support.LoopTest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

@LoopTest // a living cluster's complete list would say that these nodes are gone
class NodeReportsTest {
    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final Pool POOL = new Pool(
            new PoolId("train"),
            "Training",
            Map.of("pool", "train"),
            List.of(
                    new Pool.Level("block", "example.com/block"),
                    new Pool.Level("rack", "example.com/rack"),
                    new Pool.Level("node", "kubernetes.io/hostname")),
            PodProfile.SHIPPED,
            2_500_000);

    @Autowired
    NodeReports reports;

    @Autowired
    Fleet fleet;

    @Autowired
    FleetBook book;

    @Autowired
    Catalogue catalogue;

    @Autowired
    FleetAdmin admin;

    @Autowired
    NodeCare care;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    TransactionTemplate transactions;

    @BeforeEach
    void pool() {
        jdbc.sql("delete from node").update();
        jdbc.sql("update inventory_revision set revision = revision + 1").update();
        admin.ensurePool(null, POOL);
    }

    @Test
    void nodeIsMatchedByLabelsAndCountedByAllocatable() {
        reports.seen(report("n1", 8, Map.of()));

        var node = node("n1");
        assertThat(node.pool()).isEqualTo(POOL.id());
        assertThat(node.gpuType()).isEqualTo(new GpuTypeId("H100-SXM"));
        assertThat(node.allocatable()).isEqualTo(new Resources(8, 64_000, 512));
        assertThat(node.domain().names()).containsExactly("b1", "r1", "n1");
        assertThat(node.takesReplicas()).isTrue();
    }

    @Test
    void nodeFirstSeenWhileItsPoolIsMadeBelongsToIt() throws Exception {
        var late = new Pool(
                new PoolId("late"), "Late", Map.of("pool", "late"), POOL.levels(), PodProfile.SHIPPED, 2_500_000);
        var made = new CountDownLatch(1);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            transactions.executeWithoutResult(status -> {
                admin.createPool(null, late);
                others.submit(() -> {
                    made.countDown();
                    reports.seen(report("n9", 8, Map.of("pool", "late")));
                });
                await().atMost(Duration.ofMinutes(1)).until(() -> made.getCount() == 0 && waitsForALock());
            });
        }

        assertThat(node("n9").pool()).isEqualTo(late.id());
    }

    /** In the transaction of the pool: the report waits for it. */
    private boolean waitsForALock() {
        return jdbc.sql(
                                "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @Test
    void nodesWithoutALevelsLabelShareNoDomain() {
        reports.seen(report("n1", 8, Map.of("example.com/rack", "")));
        reports.seen(report("n2", 8, Map.of("example.com/rack", "")));

        assertThat(node("n1").domain().prefix(2))
                .isNotEqualTo(node("n2").domain().prefix(2));
        assertThat(node("n1").domain().names().get(1)).startsWith("?");
    }

    @Test
    void lostGpuIsBroken() {
        reports.seen(report("n1", 8, Map.of()));
        reports.seen(report("n1", 7, Map.of()));

        assertThat(node("n1").capacity()).isEqualTo(8);
        assertThat(node("n1").allocatable().gpus()).isEqualTo(7);
    }

    @Test
    void taintBeyondThePoolsTolerationsKeepsReplicasAway() {
        reports.seen(tainted("n1", new NodeReport.Taint("nvidia.com/gpu", "present", "NoSchedule")));
        reports.seen(tainted("n2", new NodeReport.Taint("maintenance", null, "NoSchedule")));
        reports.seen(tainted("n3", new NodeReport.Taint("maintenance", null, "PreferNoSchedule")));
        reports.seen(tainted("n4", new NodeReport.Taint("node.kubernetes.io/unreachable", null, "NoExecute")));

        assertThat(node("n1").takesReplicas()).isTrue();
        assertThat(node("n2").takesReplicas()).isFalse();
        assertThat(node("n2").problems()).contains("taint maintenance:NoSchedule");
        assertThat(node("n3").takesReplicas()).isTrue();
        assertThat(node("n4").reachable()).isFalse();
    }

    @Test
    void tolerationAddedToThePoolCountsAtOnce() {
        reports.seen(tainted("n1", new NodeReport.Taint("maintenance", null, "NoSchedule")));
        var profile = new PodProfile(
                List.of(new PodProfile.Toleration("maintenance", "Exists", null, null)),
                Map.of(),
                null,
                List.of(),
                "restricted",
                null,
                null,
                Map.of(),
                "Always");

        admin.changePool(
                null,
                new Pool(POOL.id(), POOL.displayName(), POOL.selector(), POOL.levels(), profile, 0),
                book.version(POOL.id()));

        assertThat(node("n1").takesReplicas()).isTrue();
    }

    @Test
    void unknownProductsAndNodesOutsideEveryPoolAreListedApart() {
        var unknown = new HashMap<>(report("n1", 8, Map.of()).labels());
        unknown.put("nvidia.com/gpu.product", "NVIDIA-X9000");
        reports.seen(new NodeReport(
                new NodeId("n1"), unknown, List.of(), Map.of("nvidia.com/gpu", 8L), true, false, List.of(), T0));
        reports.seen(report("n2", 8, Map.of("pool", "other")));

        assertThat(fleet.nodes()).isEmpty();
        assertThat(book.unassigned()).extracting(n -> n.id().value()).containsExactly("n1", "n2");
        assertThat(book.unassigned().getFirst().problems())
                .contains("GPU product NVIDIA-X9000 is not in the catalogue");

        admin.ensureGpuType(null, new GpuType(new GpuTypeId("X9000"), 1024, "nvidia.com/gpu", List.of("NVIDIA-X9000")));
        assertThat(node("n1").gpuType()).isEqualTo(new GpuTypeId("X9000"));
    }

    @Test
    void nodesThatACompleteListLacksAreGoneAndComeBack() {
        reports.seen(report("n1", 8, Map.of()));
        reports.seen(report("n2", 8, Map.of()));

        reports.fullList(Set.of(new NodeId("n2")), T0.plusSeconds(60));
        assertThat(fleet.nodes()).extracting(n -> n.id().value()).containsExactly("n2");

        reports.seen(report("n1", 8, Map.of()));
        assertThat(fleet.nodes()).hasSize(2);
    }

    @Test
    void sameReportAgainIsNoNews() {
        reports.seen(report("n1", 8, Map.of()));
        long revision = fleet.revision();

        reports.seen(report("n1", 8, Map.of()));
        reports.foreign(new NodeId("n1"), Resources.NONE, T0);

        assertThat(fleet.revision()).isEqualTo(revision);
    }

    @Test
    void whatAdminsSetSurvivesReports() {
        reports.seen(report("n1", 8, Map.of()));
        care.quarantine(null, "ada", new NodeId("n1"), "three XID errors");
        reports.seen(report("n1", 8, Map.of("extra", "label")));

        assertThat(node("n1").takesReplicas()).isFalse();
        assertThatThrownBy(() -> care.uncordon(null, new NodeId("n1"))).isInstanceOf(Refusal.class);
        care.back(null, new NodeId("n1"));
        assertThat(node("n1").takesReplicas()).isTrue();
    }

    @Test
    void livingNodeIsNotDeclaredDead() {
        reports.seen(report("n1", 8, Map.of()));
        var by = new io.muster.model.UserId(new java.util.UUID(0, 1));

        assertThatThrownBy(() -> care.confirmGone(by, new NodeId("n1"), "burnt"))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.kind()).isEqualTo(Refusal.Kind.CONFLICT));
        assertThat(fleet.node(new NodeId("n1"))).isPresent();
    }

    @Test
    void reportsDoNotMakeTheCatalogueLoadAnew() {
        reports.seen(report("n1", 8, Map.of()));
        var before = catalogue.matching();
        reports.seen(report("n2", 8, Map.of()));

        assertThat(catalogue.matching()).isSameAs(before);
        admin.ensureGpuType(null, new GpuType(new GpuTypeId("X1"), 1024, "nvidia.com/gpu", List.of("X1")));
        assertThat(catalogue.matching()).isNotSameAs(before);
    }

    private Node node(String name) {
        return fleet.node(new NodeId(name)).orElseThrow();
    }

    private static NodeReport tainted(String name, NodeReport.Taint taint) {
        var plain = report(name, 8, Map.of());
        return new NodeReport(
                plain.node(), plain.labels(), List.of(taint), plain.allocatable(), true, false, List.of(), T0);
    }

    private static NodeReport report(String name, long gpus, Map<String, String> more) {
        var labels = new HashMap<>(Map.of(
                "pool", "train",
                "nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3",
                "nvidia.com/gpu.count", "99",
                "example.com/block", "b1",
                "example.com/rack", "r1"));
        labels.putAll(more);
        return new NodeReport(
                new NodeId(name),
                labels,
                List.of(),
                Map.of("nvidia.com/gpu", gpus, "cpu", 64_000L, "memory", 512L),
                true,
                false,
                List.of(),
                T0);
    }
}
