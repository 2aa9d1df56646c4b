package io.muster.scheduling.verify;

import io.muster.model.Resources;

/** Whether amounts fit into room. */
final class Fit {
    private Fit() {}

    /** What is not asked for cannot be short. */
    static boolean fits(Resources wanted, Resources room) {
        return (wanted.gpus() == 0 || wanted.gpus() <= room.gpus())
                && (wanted.cpuMillis() == 0 || wanted.cpuMillis() <= room.cpuMillis())
                && (wanted.memoryBytes() == 0 || wanted.memoryBytes() <= room.memoryBytes());
    }
}
