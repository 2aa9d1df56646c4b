package io.muster.scheduling.bench;

import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Times whole cycles, not part of the tests: {@code CoreBenchmark [nodes] [waiting] [teams] [cycles]
 * [workload, as T2]}, where T3 is T1 and T2 with ten times the jobs or four times the nodes. Every cycle plans
 * the same snapshot again, so that warm figures compare; a fresh core has planned nothing before. Figures are processor time of one thread, so that a busy
 * machine distorts them less.
 */
public final class CoreBenchmark {
    private final int cycles;
    private final String only;

    private CoreBenchmark(int cycles, String only) {
        this.cycles = cycles;
        this.only = only;
    }

    /** Runs all workloads and prints one line for each. */
    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int waiting = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        int teams = args.length > 2 ? Integer.parseInt(args[2]) : 200;
        int cycles = args.length > 3 ? Integer.parseInt(args[3]) : 40;
        var only = args.length > 4 ? args[4] : "";
        var bench = new CoreBenchmark(cycles, only);
        System.out.printf("%d nodes x 8, %d waiting, %d teams in 3 levels%n", nodes, waiting, teams);
        if (only.isEmpty() || only.startsWith("T1") || only.startsWith("T2")) {
            bench.whole(new Workload(nodes, teams), waiting);
        }
        bench.gangs(nodes);
        bench.reclaim(nodes);
        bench.memory(new Workload(nodes, teams), waiting);
    }

    private void gangs(int nodes) {
        time("T4a 750 gangs of 4, 9 of 1,000", () -> Gangs.many(nodes));
        time("T4b gangs of 4 x 8 in racks", () -> Gangs.racks(nodes / 2));
        time("T4c one gang of every node", () -> Gangs.one(nodes / 2));
    }

    /** The heap that lives on when a full fleet was planned, and what a reason costs to read. */
    private void memory(Workload load, int waiting) {
        if (!"T6".startsWith(only) && !only.startsWith("T8")) {
            return;
        }
        var queue = load.queue(waiting);
        var empty = load.snapshot(queue, List.of(), t -> 1.0);
        var filled = load.running(empty, new Scheduler().plan(empty).decisions());
        var world = load.snapshot(queue, filled, t -> 1.0);
        var scheduler = new Scheduler();
        var plan = scheduler.plan(world);
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf("%-34s %d MB%n", "T6 live heap, world and core", heap >> 20);
        long[] all = new long[10];
        long[] one = new long[all.length];
        long[] cycle = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            long from = cpu();
            plan = scheduler.plan(world);
            cycle[i] = (cpu() - from) / 1_000;
            from = cpu();
            plan.explained().of(queue.get(i * 997 % queue.size()).id());
            one[i] = (cpu() - from) / 1_000;
            from = cpu();
            plan.explanations();
            all[i] = (cpu() - from) / 1_000;
        }
        Arrays.sort(all);
        Arrays.sort(one);
        Arrays.sort(cycle);
        System.out.printf(
                "%-34s cycle %.1f ms, the first reason read %.1f ms, all of them %.1f ms%n",
                "T8 reasons", cycle[5] / 1e3, one[5] / 1e3, all[5] / 1e3);
    }

    private void whole(Workload load, int waiting) {
        var queue = load.queue(waiting);
        var empty = load.snapshot(queue, List.of(), t -> 1.0);
        time("T1 empty fleet, fill it", () -> empty);
        var filled = load.running(empty, new Scheduler().plan(empty).decisions());
        var half = filled.subList(0, filled.size() / 2);
        time("T1 full, nothing can start", () -> load.snapshot(queue, filled, t -> 1.0));
        time("T1 full, one team in ten is owed", () -> load.snapshot(queue, filled, t -> t % 10 == 0 ? 20.0 : 0.5));
        steady("T2 steady, 50 events a cycle", new Steady(load, load.snapshot(queue, filled, t -> 1.0), 50));
        time("T1 half full", () -> load.snapshot(queue, half, t -> 1.0));
    }

    private void reclaim(int nodes) {
        var load = new Workload(nodes, 10);
        var singles = load.singles(1, 8 * nodes);
        time(
                "T5a one gang of half the fleet",
                () -> load.snapshot(load.equal(0, 1, 4 * nodes, TopologyRequest.NONE), singles, t -> t == 0 ? 10 : 0));
        time(
                "T5b as many one-GPU jobs",
                () -> load.snapshot(load.equal(0, 8 * nodes, 1, TopologyRequest.NONE), singles, t -> t == 0 ? 10 : 0));
        time(
                "T5c a gang that cannot be helped",
                () -> load.snapshot(load.equal(0, 1, 80, TopologyRequest.NONE), singles, t -> t == 1 ? 10 : 0));
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void time(String name, Supplier<ClusterSnapshot> world) {
        if (!name.startsWith(only)) {
            return;
        }
        var snapshot = world.get();
        SchedulingPlan plan = new SchedulingPlan(List.of(), List.of(), List.of());
        long[] fresh = new long[Math.max(1, cycles / 3)];
        for (int i = 0; i < fresh.length; i++) {
            long from = cpu();
            plan = new Scheduler().plan(snapshot);
            fresh[i] = (cpu() - from) / 1_000;
        }
        long first = fresh[0];
        Arrays.sort(fresh);
        var scheduler = new Scheduler();
        long[] warm = new long[cycles];
        for (int i = 0; i < cycles; i++) {
            long from = cpu();
            plan = scheduler.plan(snapshot);
            warm[i] = (cpu() - from) / 1_000;
        }
        warm = Arrays.copyOfRange(warm, cycles / 2, cycles);
        Arrays.sort(warm);
        long starts = count(plan, Decision.Start.class);
        long victims = count(plan, Decision.RequestCheckpoint.class);
        System.out.printf(
                "%-34s first %7.1f ms, fresh %7.1f, warm %7.1f, worst %7.1f; %d starts, %d victims, %d explained;"
                        + " %08x%n",
                name,
                first / 1e3,
                fresh[fresh.length / 2] / 1e3,
                warm[warm.length / 2] / 1e3,
                warm[warm.length - 1] / 1e3,
                starts,
                victims,
                plan.explanations().size(),
                digest(plan));
    }

    private void steady(String name, Steady world) {
        if (!name.startsWith(only)) {
            return;
        }
        var scheduler = new Scheduler();
        int settle = cycles / 2 + 3;
        long[] micros = new long[cycles * 2];
        long decided = 0;
        for (int i = -settle; i < micros.length; i++) {
            long from = cpu();
            var plan = scheduler.plan(world.world());
            if (i >= 0) {
                micros[i] = (cpu() - from) / 1_000;
                decided += plan.decisions().size();
            }
            world.goOn(plan.decisions());
        }
        Arrays.sort(micros);
        System.out.printf(
                "%-34s median %6.1f ms, p99 %6.1f; %d decisions a cycle%n",
                name, micros[micros.length / 2] / 1e3, micros[micros.length * 99 / 100] / 1e3, decided / micros.length);
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
