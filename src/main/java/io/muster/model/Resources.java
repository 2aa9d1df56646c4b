package io.muster.model;

/**
 * What a replica asks of a node, or a node offers.
 *
 * @param gpus whole GPUs
 * @param cpuMillis thousandths of a CPU
 * @param memoryBytes bytes of main memory
 */
public record Resources(int gpus, long cpuMillis, long memoryBytes) {
    public static final Resources NONE = new Resources(0, 0, 0);

    public static Resources gpus(int gpus) {
        return new Resources(gpus, 0, 0);
    }

    public Resources plus(Resources other) {
        return new Resources(
                Math.addExact(gpus, other.gpus),
                Math.addExact(cpuMillis, other.cpuMillis),
                Math.addExact(memoryBytes, other.memoryBytes));
    }

    public Resources minus(Resources other) {
        return new Resources(gpus - other.gpus, cpuMillis - other.cpuMillis, memoryBytes - other.memoryBytes);
    }

    public Resources times(int n) {
        return new Resources(
                Math.multiplyExact(gpus, n), Math.multiplyExact(cpuMillis, n), Math.multiplyExact(memoryBytes, n));
    }

    /** True when every amount of this is at most that of {@code room}. */
    public boolean fitsIn(Resources room) {
        return gpus <= room.gpus && cpuMillis <= room.cpuMillis && memoryBytes <= room.memoryBytes;
    }
}
