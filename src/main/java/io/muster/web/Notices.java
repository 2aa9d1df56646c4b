package io.muster.web;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.tenancy.Reader;
import io.muster.web.view.JobSummary;
import io.muster.web.view.OverviewView;
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
        if (job.leaving() != null) {
            Long beneficiary = job.leaving().beneficiary();
            String to = beneficiary == null ? "" : " to job " + beneficiary;
            return of("yielding", job, subject + " saves and yields" + to + ".");
        }
        if (job.headline() != null && job.headline().kind().equals("never-fits")) {
            return of(
                    "never-fits",
                    job,
                    subject + " can never start: " + job.headline().sentence());
        }
        return switch (job.state()) {
            case "FAILED" -> of("failed", job, subject + " failed.");
            case "HELD" -> of("held", job, subject + " is held and waits for somebody to release it.");
            case "RUNNING" ->
                job.hungSince() != null ? hung(job, job.hungSince(), subject, now) : walltime(job, subject, now);
            default -> Optional.empty();
        };
    }

    private static Optional<OverviewView.Notice> walltime(JobSummary job, String subject, Instant now) {
        @Nullable Instant end = job.expectedEnd();
        if (end == null || end.isAfter(now.plus(SOON))) return Optional.empty();
        long minutes = Math.max(0, Duration.between(now, end).toMinutes());
        return of("walltime-soon", job, subject + " reaches its time limit in " + minutes + " min.");
    }

    private static Optional<OverviewView.Notice> hung(JobSummary job, Instant since, String subject, Instant now) {
        long minutes = Math.max(0, Duration.between(since, now).toMinutes());
        return of("hung", job, subject + " has said nothing for " + minutes + " min: it may hang.");
    }

    private static Optional<OverviewView.Notice> of(String kind, JobSummary job, String sentence) {
        return Optional.of(new OverviewView.Notice(kind, job.id(), null, sentence));
    }

    private static Optional<OverviewView.Notice> notice(Node node) {
        int broken = node.capacity() - node.allocatable().gpus();
        String what = !node.reachable()
                ? "is out of sight: its pods may live."
                : !node.ready()
                        ? "is not ready"
                                + (node.problems().isEmpty()
                                        ? "."
                                        : ": " + node.problems().getLast() + ".")
                        : broken > 0
                                ? "offers %d of its %d GPUs."
                                        .formatted(node.allocatable().gpus(), node.capacity())
                                : "";
        return what.isEmpty()
                ? Optional.empty()
                : Optional.of(new OverviewView.Notice(
                        "node-problem", null, node.id().value(), "Node " + node.id() + " " + what));
    }
}
