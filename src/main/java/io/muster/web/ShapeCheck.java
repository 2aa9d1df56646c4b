package io.muster.web;

import io.muster.inventory.Node;
import io.muster.inventory.Pool;
import io.muster.model.GpuTypeId;
import io.muster.model.QuotaShape;
import io.muster.model.Refusal;
import io.muster.web.view.TeamView.ShapeView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses shapes that a pool's topology could never hold; what needs no pool to tell is checked where quotas are set. */
final class ShapeCheck {
    private ShapeCheck() {}

    private record Domain(GpuTypeId type, List<String> path) {}

    static List<QuotaShape> shapes(Pool pool, Collection<Node> nodes, @Nullable List<@Nullable ShapeView> wanted) {
        var shapes = new ArrayList<QuotaShape>();
        List<@Nullable ShapeView> all = wanted == null ? List.of() : wanted;
        for (int i = 0; i < all.size(); i++) {
            ShapeView shape = all.get(i);
            String at = "shapes[" + i + "]";
            if (shape == null) {
                throw Refusal.invalid(at, "must not be null");
            }
            check(pool, nodes, shape, at);
            shapes.add(new QuotaShape(shape.count(), shape.level(), shape.gpus()));
        }
        return shapes;
    }

    private static void check(Pool pool, Collection<Node> nodes, ShapeView shape, String at) {
        List<String> levels = pool.levels().stream().map(Pool.Level::name).toList();
        int depth = shape.level() == null ? 0 : levels.indexOf(shape.level()) + 1;
        if (depth == 0) {
            throw Refusal.invalid(at + ".level", "must be one of " + String.join(", ", levels));
        }
        int largest = largest(pool, nodes, depth);
        if (shape.gpus() > largest) {
            throw Refusal.invalid(
                    at + ".gpus", "is more than any %s of %s has: %d".formatted(shape.level(), pool.id(), largest));
        }
    }

    /** GPUs of one type in the largest domain, broken and closed ones counted. */
    private static int largest(Pool pool, Collection<Node> nodes, int depth) {
        Map<Domain, Integer> sums = new HashMap<>();
        for (Node node : nodes) {
            List<String> path = node.domain().names();
            if (node.pool().equals(pool.id())
                    && path.size() >= depth
                    && !path.get(depth - 1).isEmpty()) {
                sums.merge(new Domain(node.gpuType(), path.subList(0, depth)), node.capacity(), Integer::sum);
            }
        }
        return sums.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
