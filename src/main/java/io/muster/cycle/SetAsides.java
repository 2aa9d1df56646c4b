package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.job.Cause;
import io.muster.job.ExplanationCodec;
import io.muster.job.JobEvents;
import io.muster.job.JobLedger;
import io.muster.job.LedgerJob;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.Reason;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Sets aside what cannot be planned, so that the others are. A job that waits is held, for a person to look at; one that
 * runs goes on and keeps what it has, but nobody can ask it to yield. Either way its history says why.
 */
@Component
class SetAsides {
    private static final Logger LOG = LoggerFactory.getLogger(SetAsides.class);
    private static final int MOST_TEXT = 500;
    private static final String EXPLAIN = """
            insert into explanation (job_id, as_of, place, body, digest)
            select id, :at, 0, :body::jsonb, '' from job where id = :job and state in ('QUEUED', 'HELD')
            on conflict (job_id) do update set as_of = excluded.as_of, place = 0, body = excluded.body, digest = ''
            """;

    private final TransactionOperations transactions;
    private final Leadership leadership;
    private final JobLedger ledger;
    private final JobEvents events;
    private final JdbcClient jdbc;
    private final CycleMeters meters;
    private final Clock clock;
    private final Map<JobId, String> told = new HashMap<>();

    SetAsides(
            TransactionOperations transactions,
            Leadership leadership,
            JobLedger ledger,
            JobEvents events,
            JdbcClient jdbc,
            CycleMeters meters,
            Clock clock) {
        this.transactions = transactions;
        this.leadership = leadership;
        this.ledger = ledger;
        this.events = events;
        this.jdbc = jdbc;
        this.meters = meters;
        this.clock = clock;
    }

    /** @return true when a job was held, so that the picture is old */
    boolean keep(World world) {
        SortedMap<JobId, String> whys = world.unplannable().whys();
        meters.unplannable(whys.size());
        told.keySet().retainAll(whys.keySet());
        boolean changed = false;
        for (Map.Entry<JobId, String> each : whys.entrySet()) {
            LedgerJob job = world.job(each.getKey());
            if (job != null && job.life().state() == JobState.QUEUED) {
                changed |= hold(job.id(), each.getValue());
            } else if (!each.getValue().equals(told.put(each.getKey(), each.getValue()))) {
                tell(each.getKey(), each.getValue(), job == null);
            }
        }
        return changed;
    }

    /** A job that makes the core fail as a whole. */
    void blame(JobId id, World world, RuntimeException error) {
        LedgerJob job = world.job(id);
        if (job != null && job.life().state() == JobState.QUEUED) {
            hold(id, error.toString());
        } else if (job != null) {
            world.unplannable().faulty(id, job.version(), error.toString());
        }
    }

    private boolean hold(JobId job, String why) {
        meters.setAside();
        LOG.error("Job {} cannot be planned and is held: {}", job, why);
        return Boolean.TRUE.equals(transactions.execute(status -> {
            leadership.fence();
            return ledger.apply(job, new LifecycleEvent.Hold(), because(why)) instanceof JobLedger.Applied.Moved;
        }));
    }

    /** @param rowIsUnreadable nobody else can explain it */
    private void tell(JobId job, String why, boolean rowIsUnreadable) {
        meters.setAside();
        LOG.error("Job {} cannot be planned and is left as it is: {}", job, why);
        transactions.executeWithoutResult(status -> {
            leadership.fence();
            events.appendOnce(job, 0, "set-aside", because(why));
            if (rowIsUnreadable) {
                explain(job, why);
            }
        });
    }

    private void explain(JobId job, String why) {
        Instant now = clock.instant();
        var held = new Explanation(
                job, Instant.EPOCH, List.of(new Reason.Held(text(why))), 0, List.of(), null, null, List.of());
        jdbc.sql(EXPLAIN)
                .param("at", SqlInstant.of(now))
                .param("body", ExplanationCodec.toJson(held))
                .param("job", job.value())
                .update();
    }

    static Cause because(String why) {
        return Cause.system("set-aside", Map.of("reason", text(why)));
    }

    private static String text(String why) {
        String text = "It cannot be planned: " + why.replace('\u0000', ' ');
        return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
    }
}
