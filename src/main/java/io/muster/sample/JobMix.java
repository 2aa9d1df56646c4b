package io.muster.sample;

import io.muster.model.Role;
import io.muster.sample.Demo.Size;
import io.muster.sample.Demo.TeamWork;
import io.muster.sample.Demo.Urgent;
import io.muster.sample.Demo.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Draws plausible jobs. Pure: the n-th job is always the same one. */
final class JobMix {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String PREFIX = "sample-";

    private final Workload workload;
    private final Set<String> admins;

    JobMix(Demo demo) {
        this.workload = demo.workload();
        this.admins = demo.users().stream()
                .filter(user -> user.roles().containsValue(Role.TEAM_ADMIN))
                .map(Demo.SampleUser::username)
                .collect(Collectors.toSet());
    }

    /** @param largest the most GPUs that it may ask for in all */
    SampleJob job(long number, String pool, int largest) {
        var random = new SplittableRandom(number * 0x9e3779b97f4a7c15L);
        TeamWork team =
                draw(random, workload.teams(), t -> t.weight() * t.pools().getOrDefault(pool, 0));
        List<Size> sizes = workload.sizes().stream()
                .filter(size -> size.total() <= largest)
                .toList();
        Size size = draw(random, sizes, Size::weight);
        String user = team.users().get(random.nextInt(team.users().size()));
        String name = team.jobs().get(random.nextInt(team.jobs().size())) + "-" + random.nextInt(10, 100);
        Duration duration = duration(random);

        ObjectNode job = document(name, team.team(), team.image(), size.replicas(), size.gpus());
        job.put("priority", priority(random, user));
        job.put("pool", pool);
        job.put("walltime", seconds(duration.multipliedBy(3)));
        topology(job, size);
        checkpoint(job, name, random);
        ObjectNode env = behaviour(job, duration);
        env.put("LR", random.nextBoolean() ? "3e-4" : "1e-3");
        if (random.nextDouble() < workload.failProbability()) {
            env.put("VIRTUAL_FAIL", random.nextInt(3) == 0 ? "oom" : "error");
        }
        return new SampleJob(user, PREFIX + number, size.total(), JSON.writeValueAsString(job));
    }

    /** A retrain that cannot wait and may take GPUs from other teams. */
    SampleJob urgent(long number) {
        Urgent urgent = workload.urgent();
        String name = urgent.jobs()
                .get((int) Math.floorMod(number, (long) urgent.jobs().size()));
        ObjectNode job = document(name, urgent.team(), urgent.image(), urgent.replicas(), urgent.gpus());
        job.put("priority", urgent.priority());
        job.put("pool", urgent.pool());
        job.put("walltime", seconds(urgent.duration().multipliedBy(3)));
        job.putObject("topology").put("prefer", "rack").put("patience", "20s");
        checkpoint(job, name, new SplittableRandom(number));
        behaviour(job, urgent.duration());
        return new SampleJob(
                urgent.user(),
                PREFIX + "urgent-" + number,
                urgent.replicas() * urgent.gpus(),
                JSON.writeValueAsString(job));
    }

    private static ObjectNode document(String name, String team, String image, int replicas, int gpus) {
        ObjectNode job = JSON.createObjectNode();
        job.put("name", name);
        job.put("team", team);
        job.put("image", image);
        ArrayNode command = job.putArray("command");
        command.add("torchrun").add("train.py");
        job.put("replicas", replicas);
        job.putObject("resources").put("gpus", gpus).put("cpus", 8 * gpus).put("memory", 64 * gpus + "Gi");
        job.putObject("labels").put("sample", "true");
        return job;
    }

    /** Gangs of several nodes want to be near; those of four and more insist on a block. */
    private static void topology(ObjectNode job, Size size) {
        if (size.replicas() > 1) {
            ObjectNode topology = job.putObject("topology");
            if (size.replicas() % 4 == 0) {
                topology.put("require", "block");
            }
            topology.put("prefer", "rack").put("patience", "30s");
            if (size.slices() != null) {
                topology.putObject("slices").put("size", size.slices()).put("level", "nvlink");
            }
        }
        if (size.min() != null) {
            job.putObject("elastic").put("min", size.min());
        }
    }

    private static void checkpoint(ObjectNode job, String name, SplittableRandom random) {
        job.putArray("data").addObject().put("volume", SampleSeeding.VOLUME).put("at", "/work");
        job.putObject("checkpoint")
                .put("by", random.nextInt(4) == 0 ? "sigterm" : "file")
                .put("grace", "45s")
                .put("every", random.nextInt(60, 181) + "s")
                .put("path", "/work/ckpt/" + name);
    }

    private static ObjectNode behaviour(ObjectNode job, Duration duration) {
        return job.putObject("env").put("VIRTUAL_DURATION", seconds(duration));
    }

    /** Team admins alone may ask for more than normal. */
    private String priority(SplittableRandom random, String user) {
        int drawn = random.nextInt(100);
        if (drawn < 12 && admins.contains(user)) {
            return "high";
        }
        return drawn < 30 ? "low" : "normal";
    }

    private Duration duration(SplittableRandom random) {
        double shortest = StrictMath.log(workload.duration().shortest().toMillis());
        double longest = StrictMath.log(workload.duration().longest().toMillis());
        return Duration.ofMillis((long) StrictMath.exp(random.nextDouble(shortest, longest)));
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + "s";
    }

    private static <T> T draw(SplittableRandom random, List<T> choices, ToIntFunction<T> weight) {
        int left = random.nextInt(choices.stream().mapToInt(weight).sum());
        for (T choice : choices) {
            left -= weight.applyAsInt(choice);
            if (left < 0) {
                return choice;
            }
        }
        throw new IllegalStateException("weights changed while they were drawn from");
    }
}
