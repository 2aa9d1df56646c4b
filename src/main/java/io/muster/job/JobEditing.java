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
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes the document of a job: every change is a new revision, checked as a whole. */
@Service
public class JobEditing {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final DocumentCheck check;
    private final JobRows rows;
    private final TransactionTemplate transaction;
    private final ApplicationEventPublisher publisher;
    private final Clock clock;

    JobEditing(
            DocumentCheck check,
            JobRows rows,
            TransactionTemplate transaction,
            ApplicationEventPublisher publisher,
            Clock clock) {
        this.check = check;
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
        revise(reader, job, "edited", Role.MEMBER, JobEditing::waits, locked -> {
            if (revision != null && revision != locked.revision()) {
                throw Refusal.stale();
            }
            return changes;
        });
    }

    /** Puts the job into another priority class, also while it runs. */
    public void priority(Reader reader, JobId job, String priority) {
        revise(
                reader,
                job,
                "priority-changed",
                Role.MEMBER,
                state -> !state.isTerminal(),
                locked -> Trees.fromJson(object().put("priority", priority)));
    }

    /** Gives the job more running time. */
    public void extend(Reader reader, JobId job, Duration by) {
        revise(reader, job, "extended", Role.TEAM_ADMIN, state -> !state.isTerminal(), locked -> {
            Duration now = JobDocumentCodec.fromJson(locked.document()).walltime();
            if (now == null) {
                throw Refusal.conflict("The job has no walltime that could be extended.");
            }
            Duration then = now.plus(by);
            if (by.isNegative() || by.isZero() || then.compareTo(LONGEST) > 0) {
                throw Refusal.invalid("by", "must be more than nothing and give at most 365 days in all");
            }
            return Trees.fromJson(object().put("walltime", PlainDuration.of(then)));
        });
    }

    private interface Change {
        Node.Fields of(JobRows.Locked locked);
    }

    private void revise(
            Reader reader, JobId job, String why, Role others, Predicate<JobState> possible, Change change) {
        transaction.executeWithoutResult(status -> {
            JobRows.Locked locked = rows.lock(job).orElseThrow(() -> Refusal.notFound("job"));
            permit(reader, locked, others);
            if (!possible.test(locked.state())) {
                throw Refusal.conflict("The job is " + locked.state() + ": its document cannot be changed so.");
            }
            Node.Fields merged = Trees.merge(
                    Trees.fromJson(JobDocumentCodec.written(locked.document())), change.of(locked));
            JobDocument present = JobDocumentCodec.fromJson(locked.document());
            DocumentCheck.Checked checked = check.check(reader, merged, present, granted(merged, present, others));
            if (checked.document().equals(present)) {
                return;
            }
            Instant now = clock.instant();
            Cause cause = new Cause(reader.user(), why, Map.of());
            rows.revise(locked, checked, reader.user(), now, cause);
            publisher.publishEvent(new JobSubmitted(job, locked.team()));
        });
    }

    /** An admin's extension may pass the team's maximum; what passed it before may stay. */
    private static @Nullable Duration granted(Node.Fields merged, JobDocument present, Role others) {
        if (others != Role.TEAM_ADMIN) {
            return present.walltime();
        }
        return Trees.toJson(merged)
                .path("walltime")
                .asStringOpt()
                .flatMap(PlainDuration::parse)
                .orElse(null);
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

    private static boolean waits(JobState state) {
        return state == JobState.QUEUED || state == JobState.HELD;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
