package io.muster.scheduling.placement;

import io.muster.model.Resources;

/** What is free on each node, seen one way: GPUs, CPU thousandths, bytes. May be negative on a node that shrank. */
public final class Plane {
    final int[] gpus;
    final long[] cpu;
    final long[] memory;

    Plane(int nodes) {
        gpus = new int[nodes];
        cpu = new long[nodes];
        memory = new long[nodes];
    }

    public Plane copy() {
        var copy = new Plane(gpus.length);
        System.arraycopy(gpus, 0, copy.gpus, 0, gpus.length);
        System.arraycopy(cpu, 0, copy.cpu, 0, cpu.length);
        System.arraycopy(memory, 0, copy.memory, 0, memory.length);
        return copy;
    }

    public int gpus(int node) {
        return gpus[node];
    }

    public Resources at(int node) {
        return new Resources(gpus[node], cpu[node], memory[node]);
    }

    /** True when nothing of the node is given away twice. */
    public boolean isCovered(int node) {
        return gpus[node] >= 0 && cpu[node] >= 0 && memory[node] >= 0;
    }

    /** True when nothing of the node would be given away twice if {@code amount} more of it were taken. */
    public boolean isCoveredWithout(int node, Resources amount) {
        return gpus[node] >= amount.gpus() && cpu[node] >= amount.cpuMillis() && memory[node] >= amount.memoryBytes();
    }

    public void add(int node, Resources amount) {
        gpus[node] += amount.gpus();
        cpu[node] += amount.cpuMillis();
        memory[node] += amount.memoryBytes();
    }

    public void subtract(int node, Resources amount) {
        gpus[node] -= amount.gpus();
        cpu[node] -= amount.cpuMillis();
        memory[node] -= amount.memoryBytes();
    }

    /** True when {@code amount} fits on {@code node}; what is not asked for cannot be short. */
    public boolean fits(int node, Resources amount) {
        return (amount.gpus() <= gpus[node] || amount.gpus() == 0)
                && (amount.cpuMillis() <= cpu[node] || amount.cpuMillis() == 0)
                && (amount.memoryBytes() <= memory[node] || amount.memoryBytes() == 0);
    }

    /** How many replicas that ask for {@code each} fit on {@code node}, at most {@code most}. */
    public int count(int node, Resources each, int most) {
        if (!fits(node, each)) {
            return 0;
        }
        long n = most;
        if (each.gpus() > 0) {
            n = Math.min(n, gpus[node] / each.gpus());
        }
        if (each.cpuMillis() > 0) {
            n = Math.min(n, cpu[node] / each.cpuMillis());
        }
        if (each.memoryBytes() > 0) {
            n = Math.min(n, memory[node] / each.memoryBytes());
        }
        return (int) n;
    }

    void setLess(int node, Plane a, Plane b) {
        gpus[node] = Math.min(a.gpus[node], b.gpus[node]);
        cpu[node] = Math.min(a.cpu[node], b.cpu[node]);
        memory[node] = Math.min(a.memory[node], b.memory[node]);
    }

    void set(int node, Resources amount) {
        gpus[node] = amount.gpus();
        cpu[node] = amount.cpuMillis();
        memory[node] = amount.memoryBytes();
    }
}
