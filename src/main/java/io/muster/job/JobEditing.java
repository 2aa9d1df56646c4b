package io.muster.job;

import io.muster.job.document.Node;
import io.muster.job.document.Trees;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes the document of a job; every change is a new revision. A patch is checked as a whole, like a new document; what
 * may change while a job runs (its class, its walltime) changes that alone, whatever else has become of its team since.
 */
@Service
public class JobEditing {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final DocumentCheck check;
    private final PriorityRule priorities;
    private final JobRows rows;
    private final TransactionTemplate transaction;
    private final ApplicationEventPublisher publisher;
    private final Clock clock;

    JobEditing(
            DocumentCheck check,
            PriorityRule priorities,
            JobRows rows,
            TransactionTemplate transaction,
            ApplicationEventPublisher publisher,
            Clock clock) {
        this.check = check;
        this.priorities = priorities;
        this.rows = rows;
        this.transaction = transaction;
        this.publisher = publisher;
        this.clock = clock;
    }

    /**
     * Merges a patch (RFC 7396) into what was written, while the job waits.
     *
     * @param revision the revision that the caller read, or null: any
     */
    public void patch(Reader reader, JobId job, DocumentText patch, @Nullable Integer revision) {
        Node.Fields changes = JobSubmission.parse(patch);
        revise(reader, job, "edited", Role.MEMBER, (locked, present) -> {
            if (locked.state() != JobState.QUEUED && locked.state() != JobState.HELD) {
                throw Refusal.conflict(
                        "Its document can be changed while it waits; the job is " + locked.state() + ".");
            }
            if (revision != null && revision != locked.revision()) {
                throw Refusal.stale();
            }
            Node.Fields written = Trees.fromJson(JobDocumentCodec.written(locked.document()));
            DocumentCheck.Checked checked = check.check(reader, Trees.merge(written, changes), present);
            return new Changed(checked.document(), checked.written());
        });
    }

    /** Puts the job into another priority class, also while it runs. */
    public void priority(Reader reader, JobId job, String priority) {
        revise(reader, job, "priority-changed", Role.MEMBER, (locked, present) -> {
            if (!present.priority().equals(priority)) {
                priorities.refusal(reader, priority, locked.team()).ifPresent(why -> {
                    throw DocumentRefused.invalid(
                            List.of(new DocumentFault("priority", "priority-not-allowed", why, null, null)));
                });
            }
            ObjectNode written = JobDocumentCodec.written(locked.document()).put("priority", priority);
            return new Changed(present.withPriority(priority), written);
        });
    }

    /** Gives the job more running time, also beyond the team's maximum: an admin of the team says so. */
    public void extend(Reader reader, JobId job, Duration by) {
        revise(reader, job, "extended", Role.TEAM_ADMIN, (locked, present) -> {
            Duration now = present.walltime();
            if (now == null) {
                throw Refusal.conflict("The job has no walltime that could be extended.");
            }
            Duration then = now.plus(by);
            if (by.isNegative() || by.isZero() || then.compareTo(LONGEST) > 0) {
                throw Refusal.invalid("by", "must be more than nothing and give at most 365 days in all");
            }
            ObjectNode written = JobDocumentCodec.written(locked.document()).put("walltime", PlainDuration.of(then));
            return new Changed(present.withWalltime(then), written);
        });
    }

    /** Gives a job that is held, or about to be, another reason for it; false when it is neither. */
    boolean holdFor(Reader reader, JobId job, String reason) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            JobRows.Locked locked = rows.lock(job).orElseThrow(() -> Refusal.notFound("job"));
            permit(reader, locked, Role.MEMBER);
            var cause = new Cause(reader.user(), "held-by-user", Map.of("reason", reason));
            boolean kept = rows.keepHoldReason(locked, cause, reason);
            if (kept) {
                publisher.publishEvent(new JobSubmitted(job, locked.team()));
            }
            return kept;
        }));
    }

    /** A document and what of it was written. */
    private record Changed(JobDocument document, ObjectNode written) {}

    private interface Change {
        Changed of(JobRows.Locked locked, JobDocument present);
    }

    private void revise(Reader reader, JobId job, String why, Role needed, Change change) {
        transaction.executeWithoutResult(status -> {
            JobRows.Locked locked = rows.lock(job).orElseThrow(() -> Refusal.notFound("job"));
            permit(reader, locked, needed);
            if (locked.state().isTerminal()) {
                throw Refusal.conflict("The job has ended: it is " + locked.state() + ".");
            }
            JobDocument present = present(locked);
            Changed changed = change.of(locked, present);
            if (changed.document().equals(present)) {
                return;
            }
            Cause cause = new Cause(reader.user(), why, Map.of());
            rows.revise(locked, changed.document(), changed.written(), reader.user(), clock.instant(), cause);
            publisher.publishEvent(new JobSubmitted(job, locked.team()));
        });
    }

    private static JobDocument present(JobRows.Locked locked) {
        try {
            // Every change is written into both.
            JobDocumentCodec.written(locked.document());
            return JobDocumentCodec.fromJson(locked.document());
        } catch (RuntimeException e) {
            throw Refusal.conflict(JobRowMapper.DAMAGED);
        }
    }

    /** Own jobs for members, all of the team's for its admins; {@code TEAM_ADMIN}: for admins alone. */
    private static void permit(Reader reader, JobRows.Locked job, Role needed) {
        if (!reader.may(job.team(), Role.VIEWER)) {
            throw Refusal.notFound("job");
        }
        boolean owner = job.owner().equals(reader.user()) && reader.may(job.team(), Role.MEMBER);
        boolean may = reader.may(job.team(), Role.TEAM_ADMIN) || owner && needed != Role.TEAM_ADMIN;
        if (!may) {
            throw Refusal.notAllowed(
                    needed == Role.TEAM_ADMIN
                            ? "Only an admin of the job's team may do this."
                            : "Only who submitted the job, or an admin of its team, may change it.");
        }
    }
}
