package io.muster.scheduling.bench;

import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import java.lang.management.ManagementFactory;

/**
 * What JMH ({@link CycleSpeed}) cannot say of a world: what its first cycle costs a JVM that has just begun, what is decided,
 * a digest that is equal for equal plans, and the heap that lives on. Not part of the tests:
 * {@code CoreBenchmark [world, as T1_EMPTY] [nodes] [waiting] [teams]}. Only the first world of a JVM is cold.
 */
public final class CoreBenchmark {
    private CoreBenchmark() {}

    /** Plans one world, or all, and prints a line for each. */
    public static void main(String[] args) {
        var only = args.length > 0 ? args[0] : "";
        int nodes = args.length > 1 ? Integer.parseInt(args[1]) : 5_000;
        int waiting = args.length > 2 ? Integer.parseInt(args[2]) : 100_000;
        int teams = args.length > 3 ? Integer.parseInt(args[3]) : 200;
        System.out.printf("%d nodes x 8, %d waiting, %d teams in 3 levels%n", nodes, waiting, teams);
        for (var world : World.values()) {
            if (world.name().startsWith(only)) {
                report(world, nodes, waiting, teams);
            }
        }
    }

    private static void report(World world, int nodes, int waiting, int teams) {
        var snapshot = world.of(nodes, waiting, teams);
        var scheduler = new Scheduler();
        long from = cpu();
        var plan = scheduler.plan(snapshot);
        long first = cpu() - from;
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf(
                "%-34s first %7.1f ms; %d starts, %d victims, %d explained; %08x; %d MB live%n",
                world.title,
                first / 1e6,
                count(plan, Decision.Start.class),
                count(plan, Decision.RequestCheckpoint.class),
                plan.explanations().size(),
                digest(plan),
                heap >> 20);
        // Until here the core and its world live.
        java.lang.ref.Reference.reachabilityFence(scheduler);
        java.lang.ref.Reference.reachabilityFence(snapshot);
    }

    /** Processor time of this thread, which a busy machine distorts less. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long count(SchedulingPlan plan, Class<? extends Decision> kind) {
        return plan.decisions().stream().filter(kind::isInstance).count();
    }

    /** Equal plans have equal digests, whatever makes them. */
    private static int digest(SchedulingPlan plan) {
        int digest = plan.decisions().toString().hashCode() * 31
                + plan.shares().toString().hashCode();
        for (int i = 0; i < plan.explanations().size(); i += 97) {
            digest = digest * 31 + plan.explanations().get(i).toString().hashCode();
        }
        return digest;
    }
}
