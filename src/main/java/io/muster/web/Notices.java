package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.tenancy.Reader;
import io.muster.web.view.JobSummary;
import io.muster.web.view.OverviewView;
import io.muster.web.view.ReasonView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What asks for somebody's attention: of their own jobs, and for platform admins of the nodes. */
@Component
class Notices {
    private static final Duration SOON = Duration.ofMinutes(15);
    private static final int MOST_NODES = 20;

    private final Fleet fleet;

    Notices(Fleet fleet) {
        this.fleet = fleet;
    }

    List<OverviewView.Notice> of(List<JobSummary> mine, Reader reader, Instant now) {
        var notices = new ArrayList<OverviewView.Notice>();
        mine.forEach(job -> notice(job, now).ifPresent(notices::add));
        if (reader.platformAdmin()) {
            fleet.nodes().stream()
                    .filter(node -> node.cordon() == null)
                    .flatMap(node -> notice(node).stream())
                    .limit(MOST_NODES)
                    .forEach(notices::add);
        }
        return notices;
    }

    private static Optional<OverviewView.Notice> notice(JobSummary job, Instant now) {
        String subject = "Job " + job.id();
        JobSummary.Leaving leaving = job.leaving();
        if (leaving != null) {
            Long beneficiary = leaving.beneficiary();
            String to = beneficiary == null ? "" : " to job " + beneficiary;
            boolean grows = beneficiary != null && beneficiary == job.id();
            String does = grows ? " saves in order to go on with more replicas." : " saves and yields" + to + ".";
            return Optional.of(of("yielding", job, subject + does, beneficiary, leaving.deadline(), null));
        }
        ReasonView headline = job.headline();
        if (headline != null && headline.kind().equals("never-fits")) {
            String sentence = subject + " can never start: " + headline.sentence();
            return Optional.of(of("never-fits", job, sentence, null, null, headline));
        }
        return switch (job.state()) {
            case "FAILED" -> Optional.of(of("failed", job, subject + " failed.", null, null, null));
            case "HELD" -> {
                String sentence = subject + " is held and waits for somebody to release it.";
                yield Optional.of(of("held", job, sentence, null, null, null));
            }
            case "RUNNING" ->
                job.hungSince() != null ? hung(job, job.hungSince(), subject, now) : walltime(job, subject, now);
            default -> Optional.empty();
        };
    }

    private static Optional<OverviewView.Notice> walltime(JobSummary job, String subject, Instant now) {
        @Nullable Instant end = job.expectedEnd();
        if (end == null || end.isAfter(now.plus(SOON)) || isDoneBy(end, job)) return Optional.empty();
        long minutes = Math.max(0, Duration.between(now, end).toMinutes());
        String sentence = subject + " reaches its time limit in " + minutes + " min.";
        return Optional.of(of("walltime-soon", job, sentence, null, end, null));
    }

    /** Its steps so far say that it comes to its own end before. After a resume they do not say how long a step takes. */
    private static boolean isDoneBy(Instant end, JobSummary job) {
        JobSummary.Progress progress = job.progress();
        Instant start = job.startedAt();
        if (progress == null || progress.of() == null || start == null || job.attempt() > 1 || progress.step() <= 0) {
            return false;
        }
        double ofWhole = (double) progress.step() / progress.of();
        double whole = Duration.between(start, progress.at()).toMillis() / ofWhole;
        return start.plusMillis((long) whole).isBefore(end);
    }

    private static Optional<OverviewView.Notice> hung(JobSummary job, Instant since, String subject, Instant now) {
        long minutes = Math.max(0, Duration.between(since, now).toMinutes());
        String sentence = subject + " has said nothing for " + minutes + " min: it may hang.";
        return Optional.of(of("hung", job, sentence, null, since, null));
    }

    private static OverviewView.Notice of(
            String kind,
            JobSummary job,
            String sentence,
            @Nullable Long beneficiary,
            @Nullable Instant at,
            @Nullable ReasonView reason) {
        return new OverviewView.Notice(kind, job.id(), null, sentence, beneficiary, at, reason, null, null, null, null);
    }

    private static Optional<OverviewView.Notice> notice(Node node) {
        int gpus = node.allocatable().gpus();
        if (!node.reachable()) return Optional.of(of(node, "unreachable", "is out of sight: its pods may live.", null));
        if (!node.ready()) {
            String detail = node.problems().isEmpty() ? null : node.problems().getLast();
            return Optional.of(
                    of(node, "not-ready", "is not ready" + (detail == null ? "." : ": " + detail + "."), detail));
        }
        if (gpus < node.capacity()) {
            return Optional.of(
                    of(node, "gpus-lost", "offers %d of its %d GPUs.".formatted(gpus, node.capacity()), null));
        }
        return Optional.empty();
    }

    private static OverviewView.Notice of(Node node, String problem, String what, @Nullable String detail) {
        return new OverviewView.Notice(
                "node-problem",
                null,
                node.id().value(),
                "Node " + node.id() + " " + what,
                null,
                null,
                null,
                problem,
                detail,
                node.allocatable().gpus(),
                node.capacity());
    }
}
