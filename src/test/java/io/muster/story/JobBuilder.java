package io.muster.story;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds and submits a job document as a researcher would write it. */
final class JobBuilder {
    private final Lab lab;
    private final String team;
    private final Map<String, Object> document = new HashMap<>();
    private final Map<String, String> env = new HashMap<>();

    JobBuilder(Lab lab, String team) {
        this.lab = lab;
        this.team = team;
        document.put("name", "story");
        document.put("team", team);
        document.put("image", "registry.example/train:1");
        document.put("command", List.of("python", "train.py"));
        gang(1, 1);
        trains("10h");
        env("VIRTUAL_PULL", "2s");
        env("VIRTUAL_START", "1s");
    }

    JobBuilder gang(int replicas, int gpusEach) {
        document.put("replicas", replicas);
        document.put("resources", Map.of("gpus", gpusEach, "cpus", gpusEach, "memory", gpusEach + "Gi"));
        return this;
    }

    /** It works with {@code min} replicas. */
    JobBuilder elastic(int min) {
        document.put("elastic", Map.of("min", min));
        return this;
    }

    JobBuilder name(String name) {
        document.put("name", name);
        return this;
    }

    /** How long the virtual program trains at full speed. */
    JobBuilder trains(String duration) {
        return env("VIRTUAL_DURATION", lab.time(duration));
    }

    JobBuilder env(String name, String value) {
        env.put(name, value);
        return this;
    }

    JobBuilder priority(String priorityClass) {
        document.put("priority", priorityClass);
        return this;
    }

    JobBuilder topology(Map<String, ?> topology) {
        document.put("topology", topology);
        return this;
    }

    /**
     * Saves to the team's volume {@code work} in the given way. Played programs save more often than they promise: the
     * least that may be promised is long for a story in real time.
     */
    JobBuilder checkpoints(String by, String every) {
        return checkpoints(by, every, "2m");
    }

    JobBuilder checkpoints(String by, String every, String grace) {
        document.put("data", List.of(Map.of("volume", "work", "at", "/work")));
        var path = "/work/" + document.get("name");
        document.put("checkpoint", Map.of("by", by, "grace", grace, "every", every, "path", path));
        return env("PLAYED_EVERY", lab.time(every));
    }

    long submit() {
        document.put("env", env);
        return lab.as(team).post("/jobs", document).at("/job/id").asLong();
    }

    List<Long> submit(int times) {
        var ids = new ArrayList<Long>();
        for (int i = 0; i < times; i++) {
            ids.add(submit());
        }
        return ids;
    }
}
