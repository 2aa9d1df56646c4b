package io.muster.inventory;

import io.muster.model.DomainPath;
import io.muster.model.PodProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What follows from a node's labels, taints and amounts under the pools and GPU types of now; pure. */
final class NodeMatching {
    /** Where the product of the GPUs stands on a node: NVIDIA's and AMD's feature discovery. */
    private static final List<String> PRODUCT_LABELS =
            List.of("nvidia.com/gpu.product", "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name");

    /** The taints by which Kubernetes says that it lost sight of a node. */
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    /** The most specific selector wins; the order is total. */
    private static final Comparator<Pool> MOST_SPECIFIC =
            Comparator.comparing((Pool p) -> -p.selector().size()).thenComparing(Pool::id);

    private final List<Pool> pools;
    private final List<GpuType> types;

    NodeMatching(List<Pool> pools, List<GpuType> types) {
        this.pools = pools.stream().sorted(MOST_SPECIFIC).toList();
        this.types = types.stream().sorted(Comparator.comparing(GpuType::id)).toList();
    }

    /**
     * What Muster makes of a node.
     *
     * @param pool null: it matches no pool
     * @param type null: its GPUs are not in the catalogue
     * @param gpus as many as pods may ask for, not as many as labels promise
     */
    record Match(
            @Nullable Pool pool,
            @Nullable GpuType type,
            int gpus,
            DomainPath domain,
            boolean reachable,
            boolean unschedulable,
            List<String> problems) {}

    Match match(NodeReport report) {
        Pool pool = pools.stream()
                .filter(p -> report.labels().entrySet().containsAll(p.selector().entrySet()))
                .findFirst()
                .orElse(null);
        Optional<String> product = product(report.labels());
        GpuType type = product.flatMap(p -> type(p, report.allocatable())).orElse(null);
        List<NodeReport.Taint> repelling = pool == null ? List.of() : repelling(report.taints(), pool.profile());
        return new Match(
                pool,
                type,
                type == null ? 0 : gpus(report.allocatable(), type),
                pool == null ? DomainPath.POOL : domain(report, pool),
                report.taints().stream().noneMatch(t -> t.key().equals(UNREACHABLE)),
                report.unschedulable() || !repelling.isEmpty(),
                problems(report, product, type, repelling));
    }

    private static Optional<String> product(Map<String, String> labels) {
        return PRODUCT_LABELS.stream()
                .filter(labels::containsKey)
                .map(labels::get)
                .findFirst();
    }

    /** Types of one product differ in the resource (MIG profiles): the one that the node offers now goes first. */
    private Optional<GpuType> type(String product, Map<String, Long> allocatable) {
        return types.stream()
                .filter(t -> t.products().contains(product))
                .min(Comparator.comparing((GpuType t) -> gpus(allocatable, t) == 0)
                        .thenComparing(GpuType::id));
    }

    private static int gpus(Map<String, Long> allocatable, GpuType type) {
        return Math.toIntExact(Math.max(0, allocatable.getOrDefault(type.resourceName(), 0L)));
    }

    /**
     * One name per level. A node that lacks the label of a level is alone there: nobody knows what it is near to. Label
     * values never contain a question mark, so its name there is nobody else's.
     */
    private static DomainPath domain(NodeReport report, Pool pool) {
        var names = new ArrayList<String>();
        String node = report.node().value();
        for (Pool.Level level : pool.levels().subList(0, pool.levels().size() - 1)) {
            String name = report.labels().get(level.label());
            names.add(name == null || name.isBlank() ? "?" + node : name);
        }
        names.add(node);
        return new DomainPath(names);
    }

    private static List<NodeReport.Taint> repelling(List<NodeReport.Taint> taints, PodProfile profile) {
        return taints.stream()
                .filter(t -> !t.effect().equals("PreferNoSchedule"))
                .filter(t -> profile.tolerations().stream().noneMatch(toleration -> tolerates(toleration, t)))
                .toList();
    }

    /** As Kubernetes does: an empty key with Exists tolerates every taint. */
    private static boolean tolerates(PodProfile.Toleration toleration, NodeReport.Taint taint) {
        if (toleration.effect() != null && !toleration.effect().equals(taint.effect())) return false;
        boolean any = toleration.operator().equals("Exists");
        if (toleration.key().isEmpty()) return any;
        return toleration.key().equals(taint.key()) && (any || sameValue(toleration.value(), taint.value()));
    }

    private static boolean sameValue(@Nullable String a, @Nullable String b) {
        return (a == null ? "" : a).equals(b == null ? "" : b);
    }

    private static List<String> problems(
            NodeReport report, Optional<String> product, @Nullable GpuType type, List<NodeReport.Taint> repelling) {
        var problems = new ArrayList<String>();
        if (!report.ready()) problems.add("not ready");
        problems.addAll(report.badConditions());
        repelling.forEach(t -> problems.add("taint " + t.key() + ":" + t.effect()));
        if (type == null) {
            problems.add(product.map(p -> "GPU product " + p + " is not in the catalogue")
                    .orElse("no GPU product label"));
        }
        return problems;
    }
}
