package io.muster.scheduling.topology;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All nodes, numbered so that every partition and every domain is a range. */
public final class Fleet {
    private final List<PoolView> pools;
    private final List<Partition> partitions;
    private final NodeView[] nodes;
    private final Map<NodeId, Integer> numbers;
    private final Map<PoolId, Integer> poolNumbers;
    private final int[] partitionOf;
    private final boolean[] takes;

    private record Key(int pool, GpuTypeId type, long memory) {
        static final Comparator<Key> ORDER =
                Comparator.comparingInt(Key::pool).thenComparing(Key::type).thenComparingLong(Key::memory);
    }

    private record Sited(NodeView view, List<String> names, DomainPath path) {
        static final Comparator<Sited> ORDER =
                Comparator.comparing((Sited s) -> new DomainPath(s.names)).thenComparing(s -> s.view.id());
    }

    public Fleet(List<PoolView> poolViews, List<NodeView> nodeViews) {
        pools = poolViews.stream().sorted(Comparator.comparing(PoolView::id)).toList();
        poolNumbers = new HashMap<>();
        for (int i = 0; i < pools.size(); i++) {
            poolNumbers.put(pools.get(i).id(), i);
        }
        var groups = new TreeMap<Key, List<Sited>>(Key.ORDER);
        for (var view : nodeViews) {
            var pool = poolNumbers.get(view.pool());
            if (pool != null) {
                groups.computeIfAbsent(new Key(pool, view.gpuType(), view.gpuMemoryMib()), k -> new ArrayList<>())
                        .add(site(view, levels(pools.get(pool)).size()));
            }
        }
        int count = groups.values().stream().mapToInt(List::size).sum();
        nodes = new NodeView[count];
        partitionOf = new int[count];
        takes = new boolean[count];
        numbers = HashMap.newHashMap(count);
        partitions = new ArrayList<>();
        int next = 0;
        for (var group : groups.entrySet()) {
            group.getValue().sort(Sited.ORDER);
            next = addPartition(group.getKey(), group.getValue(), next);
        }
    }

    private int addPartition(Key key, List<Sited> sited, int first) {
        int next = first;
        for (var s : sited) {
            nodes[next] = s.view;
            takes[next] = s.view.takesReplicas();
            partitionOf[next] = partitions.size();
            numbers.put(s.view.id(), next++);
        }
        var names = sited.stream().map(Sited::names).toList();
        var paths = sited.stream().map(Sited::path).toList();
        var levelNames = levels(pools.get(key.pool));
        var domains = new ArrayList<Domains>();
        for (int i = 0; i < levelNames.size(); i++) {
            domains.add(Domains.group(levelNames.get(i), i + 1, first, names, paths));
        }
        partitions.add(new Partition(
                partitions.size(), key.pool, pools.get(key.pool).id(), key.type, key.memory, first, next, domains));
        return next;
    }

    private static List<String> levels(PoolView pool) {
        return pool.levels().isEmpty() ? List.of("node") : pool.levels();
    }

    /** Pads a path to one name per level; what is missing is missing between the given names and the node. */
    private static Sited site(NodeView view, int levels) {
        var given = view.domain().names();
        var names = new ArrayList<String>(levels);
        for (int i = 0; i < levels - 1; i++) {
            names.add(i < given.size() - 1 ? given.get(i) : "");
        }
        names.add(view.id().value());
        return new Sited(view, List.copyOf(names), new DomainPath(names));
    }

    public List<PoolView> pools() {
        return pools;
    }

    public List<Partition> partitions() {
        return partitions;
    }

    /** Levels of the partition that has most. */
    public int mostLevels() {
        int most = 0;
        for (var partition : partitions) {
            most = Math.max(most, partition.levels().size());
        }
        return most;
    }

    public Partition partitionOf(int node) {
        return partitions.get(partitionOf[node]);
    }

    public int size() {
        return nodes.length;
    }

    public NodeView node(int number) {
        return nodes[number];
    }

    /** True when replicas may be placed on the node now. */
    public boolean takes(int number) {
        return takes[number];
    }

    /** The node's number, or -1 when the fleet has no such node. */
    public int number(NodeId id) {
        return numbers.getOrDefault(id, -1);
    }

    /** The pool's number, or -1 when the fleet has no such pool. */
    public int poolNumber(PoolId id) {
        return poolNumbers.getOrDefault(id, -1);
    }

    /** What is left of a node for Muster: allocatable minus foreign pods. */
    public Resources ours(int number) {
        return nodes[number].allocatable().minus(nodes[number].foreign());
    }
}
