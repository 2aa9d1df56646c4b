package io.muster.cycle;

import io.muster.model.JobId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.verify.Breach;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** One cycle, phase by phase. */
@Component
class Cycle {
    private static final Logger LOG = LoggerFactory.getLogger(Cycle.class);

    /** Deadlines may bring others with them; after so many rounds the rest waits for the next cycle. */
    private static final int DEADLINE_ROUNDS = 3;

    private final Leadership leadership;
    private final Picture picture;
    private final Deadlines deadlines;
    private final SetAsides setAsides;
    private final Planner planner;
    private final PlanCommit commit;
    private final ExplanationBook explanations;
    private final ShareBook shares;
    private final Journal journal;
    private final EveryMinute everyMinute;
    private final Forecasts forecasts;
    private final CycleMeters meters;
    private long lastEpoch;

    Cycle(
            Leadership leadership,
            Picture picture,
            Deadlines deadlines,
            SetAsides setAsides,
            Planner planner,
            PlanCommit commit,
            ExplanationBook explanations,
            ShareBook shares,
            Journal journal,
            EveryMinute everyMinute,
            Forecasts forecasts,
            CycleMeters meters) {
        this.leadership = leadership;
        this.picture = picture;
        this.deadlines = deadlines;
        this.setAsides = setAsides;
        this.planner = planner;
        this.commit = commit;
        this.explanations = explanations;
        this.shares = shares;
        this.journal = journal;
        this.everyMinute = everyMinute;
        this.forecasts = forecasts;
        this.meters = meters;
    }

    /** What a cycle came to. */
    enum Outcome {
        NOT_LEADING,
        QUIET,
        DECIDED,
        FAILED
    }

    /** Never throws: after an error, the next cycle begins with nothing remembered. */
    Outcome run() {
        try {
            if (!leadership.lead()) {
                meters.done();
                return Outcome.NOT_LEADING;
            }
            beginEpoch();
            Outcome outcome = lead();
            meters.done();
            return outcome;
        } catch (StaleEpochException e) {
            LOG.warn("The cycle is given up: {}", e.getMessage());
            forget();
            return Outcome.NOT_LEADING;
        } catch (RuntimeException | StackOverflowError e) {
            meters.failed();
            LOG.error("The cycle failed; the next one starts anew", e);
            forget();
            return Outcome.FAILED;
        }
    }

    /** Another leader may have written since: what this server remembers of its own writing is worth nothing. */
    private void beginEpoch() {
        long epoch = leadership.believed();
        if (epoch != lastEpoch) {
            forget();
            lastEpoch = epoch;
        }
    }

    private Outcome lead() {
        PlanCommit.Done done = picture.settle(this::keep, DEADLINE_ROUNDS, this::decide);
        everyMinute.keep();
        return done.isSomething() ? Outcome.DECIDED : Outcome.QUIET;
    }

    /** @return true when something changed, so that the picture is old */
    private boolean keep(Picture.View view) {
        boolean changed = setAsides.keep(view.world());
        return deadlines.keep(view.world(), view.around(), view.snapshot().asOf()) || changed;
    }

    private PlanCommit.Done decide(Picture.View view) {
        meters.count(view.world());
        var planned = meters.time("plan", () -> blaming(view, () -> planner.plan(view.snapshot())));
        var verified =
                meters.time("verify", () -> blaming(view, () -> planner.verify(view.snapshot(), planned.value())));
        SchedulingPlan plan = forecast(without(verified.value(), planned.value()));
        forecasts.offer(view.snapshot());
        var committed = meters.time(
                "commit",
                () -> commit.commit(plan, view.world(), view.snapshot().asOf()));
        journal.write(new Journal.Entry(
                view.snapshot().asOf(),
                view.around().policyNumber(),
                view.snapshot().waiting().size(),
                view.snapshot().running().size(),
                committed.value(),
                verified.value().size(),
                view.micros(),
                planned.micros(),
                verified.micros(),
                committed.micros()));
        return committed.value();
    }

    /** A core that fails as a whole fails because of some job: it is found and set aside, and the next cycle goes on. */
    private <T> T blaming(Picture.View view, Supplier<T> phase) {
        try {
            return phase.get();
        } catch (RuntimeException e) {
            Culprit.find(planner, view.snapshot()).ifPresent(job -> setAsides.blame(job, view.world(), e));
            throw e;
        }
    }

    /** The plan without what breaks a rule; a plan that is at fault as a whole decides nothing. */
    private SchedulingPlan without(List<Breach> breaches, SchedulingPlan plan) {
        if (breaches.isEmpty()) {
            return plan;
        }
        Set<Decision> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean wholePlan = false;
        for (Breach breach : breaches) {
            meters.breach(breach.rule().name());
            LOG.error("The plan breaks {} for job {}: {}", breach.rule(), breach.job(), breach.detail());
            if (breach.decision() == null) {
                wholePlan = true;
            } else {
                dropped.add(breach.decision());
            }
        }
        var jobs = new HashSet<JobId>();
        dropped.forEach(d -> jobs.add(d.job()));
        addBoundTo(jobs, plan);
        boolean all = wholePlan;
        List<Decision> kept = plan.decisions().stream()
                .filter(d -> !all && !dropped.contains(d) && !yieldsTo(d, jobs))
                .toList();
        return new SchedulingPlan(kept, plan.explained(), plan.shares(), plan.setAside());
    }

    /** The plan with forecasts in its explanations. */
    private SchedulingPlan forecast(SchedulingPlan plan) {
        return new SchedulingPlan(plan.decisions(), forecasts.tell(plan.explained()), plan.shares(), plan.setAside());
    }

    /** A gang and those that move for it stand or fall together. */
    private static void addBoundTo(Set<JobId> dropped, SchedulingPlan plan) {
        boolean more = true;
        while (more) {
            more = false;
            for (Decision decision : plan.decisions()) {
                if (decision instanceof Decision.RequestCheckpoint r
                        && r.cause() == Decision.Cause.MOVE
                        && (dropped.contains(r.job()) || dropped.contains(r.beneficiary()))) {
                    more |= dropped.add(r.job()) | dropped.add(r.beneficiary());
                }
            }
        }
    }

    /** Nobody is asked to yield to a job whose own decision was dropped, and nobody moves without its place. */
    private static boolean yieldsTo(Decision decision, Set<JobId> dropped) {
        return switch (decision) {
            case Decision.RequestCheckpoint r -> dropped.contains(r.beneficiary()) || dropped.contains(r.job());
            case Decision.Reserve r -> dropped.contains(r.job());
            case Decision.Start s -> false;
            case Decision.Unreserve u -> false;
            case Decision.Stop s -> false;
        };
    }

    private void forget() {
        picture.forget();
        explanations.forget();
        shares.forget();
    }
}
