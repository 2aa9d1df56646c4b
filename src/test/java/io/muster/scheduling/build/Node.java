package io.muster.scheduling.build;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.NodeView;
import java.util.ArrayList;
import java.util.List;

/** A node in words: {@code node("n1").gpus(8).cpus(64)}. */
public final class Node {
    public static final long GIB = 1L << 30;

    final String name;
    int gpus = 8;
    int cpus = 128;
    long memory = 1024 * GIB;
    String type = "H100";
    long gpuMemory = 81_920;
    Resources foreign = Resources.NONE;
    boolean takes = true;

    private Node(String name) {
        this.name = name;
    }

    public static Node node(String name) {
        return new Node(name);
    }

    /** {@code count} nodes of 8 GPUs called {@code prefix1, prefix2...}. */
    public static Node[] nodes(String prefix, int count) {
        var nodes = new Node[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = node(prefix + (i + 1));
        }
        return nodes;
    }

    public Node gpus(int value) {
        gpus = value;
        return this;
    }

    public Node cpus(int value) {
        cpus = value;
        return this;
    }

    public Node memory(long bytes) {
        memory = bytes;
        return this;
    }

    public Node type(String value) {
        type = value;
        return this;
    }

    public Node foreign(int gpusHeld) {
        foreign = Resources.gpus(gpusHeld);
        return this;
    }

    public Node cordoned() {
        takes = false;
        return this;
    }

    NodeView view(String pool, List<String> above) {
        var names = new ArrayList<>(above);
        names.add(name);
        return new NodeView(
                new NodeId(name),
                new PoolId(pool),
                new GpuTypeId(type),
                gpuMemory,
                new Resources(gpus, cpus * 1000L, memory),
                foreign,
                new DomainPath(names),
                takes);
    }
}
