package io.muster.scheduling.exact;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.build.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A small fleet and a queue, as numbers that both the core and an exact solver can read. */
record Instance(List<Host> hosts, List<Gang> gangs) {

    /** A node; {@code taken} GPUs belong to others. */
    record Host(String name, int rack, int gpus, int taken) {
        int free() {
            return gpus - taken;
        }
    }

    /** {@code replicas} of {@code gpus} each, in one domain of {@code require} when it is given. */
    record Gang(long id, int replicas, int gpus, @Nullable String require) {
        int total() {
            return replicas * gpus;
        }
    }

    static Instance random(long seed, int mostGangs) {
        var random = new Random(seed);
        var hosts = new ArrayList<Host>();
        int racks = 1 + random.nextInt(3);
        for (int r = 0; r < racks; r++) {
            int nodes = 1 + random.nextInt(4);
            for (int n = 0; n < nodes; n++) {
                int gpus = random.nextInt(5) == 0 ? 4 : 8;
                int taken = random.nextBoolean() ? 0 : random.nextInt(gpus + 1);
                hosts.add(new Host("r%dn%d".formatted(r, n), r, gpus, taken));
            }
        }
        var gangs = new ArrayList<Gang>();
        int count = 1 + random.nextInt(mostGangs);
        for (int g = 0; g < count; g++) {
            gangs.add(gang(g + 1, random));
        }
        return new Instance(List.copyOf(hosts), List.copyOf(gangs));
    }

    private static Gang gang(long id, Random random) {
        int each = List.of(1, 1, 2, 3, 4, 8).get(random.nextInt(6));
        int replicas = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(each == 8 ? 3 : 5);
        String require = switch (random.nextInt(6)) {
            case 0 -> "rack";
            case 1 -> replicas * each <= 8 ? "node" : null;
            default -> null;
        };
        return new Gang(id, replicas, each, require);
    }

    int racks() {
        return hosts.stream().mapToInt(Host::rack).max().orElse(-1) + 1;
    }

    /** The same in the words of the core: one team that is owed everything, the queue in the order of the ids. */
    Cluster cluster() {
        return cluster(null);
    }

    /** The same, with gangs that prefer one node for so long. */
    Cluster cluster(@Nullable Duration patience) {
        var cluster = Cluster.cluster();
        for (var host : hosts) {
            cluster.rack(
                    "r" + host.rack(), Node.node(host.name()).gpus(host.gpus()).foreign(host.taken()));
        }
        cluster.team("a", Quota.guaranteed(hosts.stream().mapToInt(Host::gpus).sum()));
        for (var gang : gangs) {
            var job = Job.job(gang.id()).replicas(gang.replicas()).gpus(gang.gpus());
            if (gang.require() != null) {
                job.require(gang.require());
            }
            cluster.jobs(patience == null ? job : job.prefer("node", patience));
        }
        return cluster;
    }
}
