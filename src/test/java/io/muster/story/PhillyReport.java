package io.muster.story;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What came of a replay: waits by size, utilisation, preemptions, restarts; as JSON and as Markdown. */
record PhillyReport(
        int jobs,
        int gpus,
        Map<String, Waits> waits,
        double utilisation,
        double utilisationWhileJobsWaited,
        double spanHours,
        double gpuHours,
        int attempts,
        int preemptions,
        int repeatedRequests,
        List<String> kills,
        long realSeconds) {

    /** Waits until the first start, in minutes of the server's clock. */
    record Waits(int jobs, double p50, double p90, double p99, double most) {}

    /** A job that has ended, and when its replicas held GPUs. */
    record Ended(int gpus, Instant submitted, Instant started, Instant ended, int attempts, List<Held> held) {
        double waited() {
            return Duration.between(submitted, started).toMillis() / 60_000.0;
        }
    }

    record Held(Instant from, Instant to, int gpus) {
        double gpuHours() {
            return gpus * (Duration.between(from, to).toMillis() / 3_600_000.0);
        }
    }

    /** Reads one job through REST. */
    static Ended read(JsonNode job, JsonNode attempts) {
        var held = new ArrayList<Held>();
        for (var attempt : attempts) {
            for (var replica : attempt.at("/replicas")) {
                if (replica.at("/startedAt").isString()) {
                    held.add(new Held(
                            at(replica, "/startedAt"),
                            at(replica, "/releasedAt"),
                            replica.at("/gpus").asInt()));
                }
            }
        }
        return new Ended(
                job.at("/gpus").asInt(),
                at(job, "/submittedAt"),
                at(job, "/startedAt"),
                at(job, "/endedAt"),
                attempts.size(),
                held);
    }

    private static Instant at(JsonNode node, String field) {
        return Instant.parse(node.at(field).asString());
    }

    static PhillyReport of(List<Ended> jobs, int gpus, int repeats, List<String> kills, Duration real) {
        var held = jobs.stream().flatMap(j -> j.held().stream()).toList();
        double used = held.stream().mapToDouble(Held::gpuHours).sum();
        var first = jobs.stream()
                .map(Ended::submitted)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        var last =
                jobs.stream().map(Ended::ended).max(Comparator.naturalOrder()).orElseThrow();
        double span = Duration.between(first, last).toMillis() / 3_600_000.0;
        int attempts = jobs.stream().mapToInt(Ended::attempts).sum();
        return new PhillyReport(
                jobs.size(),
                gpus,
                waits(jobs),
                used / (gpus * span),
                whileJobsWaited(jobs, held, gpus),
                span,
                used,
                attempts,
                attempts - jobs.size(),
                repeats,
                kills,
                real.toSeconds());
    }

    private static Map<String, Waits> waits(List<Ended> jobs) {
        var bySize = new TreeMap<Integer, List<Double>>();
        for (var job : jobs) {
            bySize.computeIfAbsent(job.gpus(), g -> new ArrayList<>()).add(job.waited());
        }
        var waits = new LinkedHashMap<String, Waits>();
        bySize.forEach((gpus, all) -> waits.put(gpus + (gpus == 1 ? " GPU" : " GPUs"), waitsOf(all)));
        waits.put("all", waitsOf(jobs.stream().map(Ended::waited).toList()));
        return waits;
    }

    private static Waits waitsOf(List<Double> all) {
        var sorted = all.stream().sorted().toList();
        return new Waits(
                sorted.size(), quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99), sorted.getLast());
    }

    static double quantile(List<Double> sorted, double q) {
        return sorted.get(Math.min(sorted.size() - 1, (int) Math.ceil(q * sorted.size()) - 1));
    }

    private record Change(Instant at, int waiting, int gpus) {}

    /** Over the time in which at least one job waited: what idles then is what the scheduler has to answer for. */
    private static double whileJobsWaited(List<Ended> jobs, List<Held> held, int capacity) {
        var changes = new ArrayList<Change>();
        for (var job : jobs) {
            changes.add(new Change(job.submitted(), 1, 0));
            changes.add(new Change(job.started(), -1, 0));
        }
        for (var each : held) {
            changes.add(new Change(each.from(), 0, each.gpus()));
            changes.add(new Change(each.to(), 0, -each.gpus()));
        }
        changes.sort(Comparator.comparing(Change::at));
        double used = 0;
        double had = 0;
        int waiting = 0;
        int busy = 0;
        var before = changes.getFirst().at();
        for (var change : changes) {
            double hours = Duration.between(before, change.at()).toMillis() / 3_600_000.0;
            if (waiting > 0) {
                used += busy * hours;
                had += capacity * hours;
            }
            waiting += change.waiting();
            busy += change.gpus();
            before = change.at();
        }
        return had == 0 ? 0 : used / had;
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var json = JsonMapper.builder().build();
        Files.writeString(
                folder.resolve("report.json"),
                json.writerWithDefaultPrettyPrinter().writeValueAsString(this));
        Files.writeString(folder.resolve("report.md"), markdown());
    }

    String markdown() {
        var text = new StringBuilder("# Philly replay\n\n");
        text.append(line("%d jobs on %d GPUs, %.0f GPU-hours in %.0f hours.", jobs, gpus, gpuHours, spanHours));
        text.append(line(
                "Utilisation %.1f%% over all, %.1f%% while jobs waited.",
                100 * utilisation, 100 * utilisationWhileJobsWaited));
        text.append(line("%d attempts, %d of them after a preemption.", attempts, preemptions));
        text.append(line(
                "The server was killed %d times; %d requests were sent again. Real time: %d s.",
                kills.size(), repeatedRequests, realSeconds));
        kills.forEach(kill -> text.append("- ").append(kill).append('\n'));
        text.append("\n| size | jobs | wait p50 | p90 | p99 | longest |\n|---|--:|--:|--:|--:|--:|\n");
        waits.forEach((size, w) -> text.append(line(
                "| %s | %d | %.1f min | %.1f min | %.1f min | %.1f min |",
                size, w.jobs(), w.p50(), w.p90(), w.p99(), w.most())));
        return text.toString();
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }
}
