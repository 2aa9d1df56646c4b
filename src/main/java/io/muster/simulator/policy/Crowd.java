package io.muster.simulator.policy;

import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.HashMap;
import java.util.Map;

/** How crowded it was since each job came: the mean of max(1, GPUs asked by all present / GPUs there are). */
final class Crowd {
    private final Map<SimulatedJob, Double> atArrival = new HashMap<>();
    private double sum;
    private double level = 1;
    private long last = SimulatedJob.NEVER;

    void look(World world) {
        if (world.now() > last) sum += level * (world.now() - last);
        last = world.now();
        int asked = world.waitingGpus() + world.usedGpus();
        level = Math.max(1, (double) asked / world.site().gpus());
    }

    double mean(SimulatedJob job, World world) {
        double before = atArrival.computeIfAbsent(job, j -> sum);
        long age = world.now() - job.submitted();
        return age <= 0 ? level : Math.max(1, (sum - before) / age);
    }

    void forget(SimulatedJob job) {
        atArrival.remove(job);
    }
}
