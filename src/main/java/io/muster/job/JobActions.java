package io.muster.job;

import io.muster.job.JobLedger.Applied;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobId;
import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.tenancy.Reader;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Lets people act on jobs: who may is decided here, what then happens by the ledger and the lifecycle. */
@Service
public class JobActions {
    private static final int LONGEST_WHY = 500;

    private final JobCatalogue catalogue;
    private final JobEditing editing;
    private final PriorityRule priorities;
    private final JobLedger ledger;

    JobActions(JobCatalogue catalogue, JobEditing editing, PriorityRule priorities, JobLedger ledger) {
        this.catalogue = catalogue;
        this.editing = editing;
        this.priorities = priorities;
        this.ledger = ledger;
    }

    /** What became of one action of many. */
    public sealed interface Outcome {
        record Done() implements Outcome {}

        record WouldDo() implements Outcome {}

        record Unchanged(JobChoices.No why) implements Outcome {}

        record Refused(JobChoices.No why) implements Outcome {}

        record NotFound() implements Outcome {}
    }

    /**
     * Cancels, holds, releases or saves. What is so already is no error; who holds a held job with a reason gives it that
     * reason.
     *
     * @param why what the person gave as a reason, or null
     * @throws Refusal when there is no such job, the reader may not, or its state does not allow it
     */
    public void act(Reader reader, JobId job, JobAction action, @Nullable String why) {
        String reason = checked(why);
        JobChoices.Job facts = found(reader, job).choices();
        if (!JobChoices.mayAct(reader, facts.team(), facts.owner())) {
            throw Refusal.notAllowed("Only who submitted the job, or an admin of its team, may do this.");
        }
        Optional<JobChoices.No> refusal = JobChoices.refusal(action, facts, reader);
        if (refusal.isPresent()) {
            boolean settled = isSettled(action, facts);
            if (settled && (action != JobAction.HOLD || reason == null || editing.holdFor(reader, job, reason))) {
                return;
            }
            throw Refusal.conflict(refusal.get().sentence());
        }
        LifecycleEvent event =
                Objects.requireNonNull(JobChoices.event(action, facts.life().state()));
        Map<String, Object> data = new HashMap<>();
        if (reason != null) {
            data.put("reason", reason);
        }
        switch (ledger.apply(job, event, new Cause(reader.user(), word(action), data))) {
            case Applied.Moved m -> {}
            case Applied.Unchanged u -> {}
            case Applied.Refused(var at) ->
                throw Refusal.conflict("The job is " + at.state() + ": " + action.word() + " is not possible now.");
            case Applied.NoSuchJob n -> throw Refusal.notFound("job");
        }
    }

    /** One of many: an expected "no" is an outcome, not an exception. */
    public Outcome tryAct(
            Reader reader,
            JobId job,
            JobAction action,
            @Nullable String priority,
            @Nullable String why,
            boolean dryRun) {
        try {
            StoredJob found = found(reader, job);
            JobChoices.Job facts = found.choices();
            Optional<JobChoices.No> refusal = JobChoices.refusal(action, facts, reader);
            if (refusal.isEmpty() && action == JobAction.PRIORITY) {
                String name = Objects.requireNonNull(priority);
                if (found.row().priority().equals(name)) {
                    return new Outcome.Unchanged(
                            new JobChoices.No("priority-already", "Its priority is " + name + " already."));
                }
                refusal = priorities
                        .refusal(reader, name, facts.team())
                        .map(sentence -> new JobChoices.No("priority-not-allowed", sentence));
            }
            boolean settled = refusal.isPresent() && isSettled(action, facts);
            boolean onlyReason = settled && action == JobAction.HOLD && checked(why) != null;
            if (refusal.isPresent() && !onlyReason) {
                return settled ? new Outcome.Unchanged(refusal.get()) : new Outcome.Refused(refusal.get());
            }
            if (dryRun) {
                return new Outcome.WouldDo();
            }
            if (action == JobAction.PRIORITY) {
                editing.priority(reader, job, Objects.requireNonNull(priority));
            } else {
                act(reader, job, action, why);
            }
            return new Outcome.Done();
        } catch (Refusal refusal) {
            return refusal.kind() == Refusal.Kind.NOT_FOUND
                    ? new Outcome.NotFound()
                    : new Outcome.Refused(new JobChoices.No("not-possible", refusal.sentence()));
        } catch (DocumentRefused refused) {
            return new Outcome.Refused(new JobChoices.No("invalid-job", String.valueOf(refused.getMessage())));
        }
    }

    /** True when what is asked for is so already, so that asking twice is no error. */
    private static boolean isSettled(JobAction action, JobChoices.Job job) {
        LifecycleEvent event = JobChoices.event(action, job.life().state());
        return event != null
                && action != JobAction.CHECKPOINT
                && io.muster.lifecycle.Lifecycle.next(job.life(), event)
                        instanceof io.muster.lifecycle.Transition.Ignored;
    }

    private StoredJob found(Reader reader, JobId job) {
        return catalogue
                .find(job)
                .filter(found -> reader.may(found.row().team(), Role.VIEWER))
                .orElseThrow(() -> Refusal.notFound("job"));
    }

    private static String word(JobAction action) {
        return switch (action) {
            case CANCEL -> "cancelled-by-user";
            case HOLD -> "held-by-user";
            case RELEASE -> "released-by-user";
            case CHECKPOINT -> "checkpoint-by-user";
            case PRIORITY, EXTEND, PATCH -> throw new IllegalArgumentException(action.word());
        };
    }

    private static @Nullable String checked(@Nullable String why) {
        if (why == null || why.isBlank()) {
            return null;
        }
        boolean control = why.chars().anyMatch(c -> c < 0x20 && c != '\n' && c != '\t' || c == 0x7F);
        if (why.length() > LONGEST_WHY || control) {
            throw Refusal.invalid(
                    "why", "must have at most %d characters and no control characters".formatted(LONGEST_WHY));
        }
        return why;
    }
}
