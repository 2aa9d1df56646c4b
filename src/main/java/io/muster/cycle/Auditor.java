package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.muster.database.SqlInstant;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Looks in the ledger for what must never be. A breach is an error in the log and a metric that alarms go by. */
@Component
public class Auditor {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
    private static final int MOST_NAMED = 20;

    private final JdbcClient jdbc;
    private final TransactionTemplate oneInstant;
    private final Map<Invariant, AtomicLong> gauges = new EnumMap<>(Invariant.class);

    Auditor(JdbcClient jdbc, PlatformTransactionManager transactions, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.oneInstant = new TransactionTemplate(transactions);
        oneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        oneInstant.setReadOnly(true);
        for (Invariant invariant : Invariant.values()) {
            gauges.put(
                    invariant,
                    meters.gauge(
                            "muster.invariant.breaches", Tags.of("invariant", invariant.name()), new AtomicLong()));
        }
    }

    /** What must hold; the query names whatever breaks it. */
    public enum Invariant {
        GPUS_GIVEN_TWICE("""
                select r.node from replica r left join node n on n.id = r.node where r.released_at is null
                group by r.node, n.capacity_gpus, n.gpus
                having sum(r.gpus) > greatest(coalesce(n.capacity_gpus, 0), coalesce(n.gpus, 0)) and n.gpus is not null
                """),
        GANG_NOT_WHOLE("""
                select j.id::text from job j join attempt a on a.job_id = j.id and a.number = j.attempt
                cross join lateral (
                    select count(*) as n from replica r where r.job_id = j.id and r.attempt = j.attempt) placed
                cross join lateral (
                    select sum(coalesce(g ->> 3, g ->> 1)::int) as n from jsonb_array_elements(j.shape) g) fewest
                where j.state in ('STARTING', 'RUNNING')
                    and (placed.n <> a.replicas or placed.n < fewest.n or placed.n > j.replicas)
                """),
        TWO_LIVE_ATTEMPTS("""
                select job_id::text from replica where released_at is null
                group by job_id having count(distinct attempt) > 1
                """),
        GPUS_HELD_BY_WAITING_OR_ENDED("""
                select distinct j.id::text from job j join replica r on r.job_id = j.id and r.released_at is null
                where j.state in ('QUEUED', 'HELD', 'SUCCEEDED', 'FAILED', 'CANCELLED')
                """),
        ACTIVE_WITHOUT_ATTEMPT("""
                select j.id::text from job j where j.state in ('STARTING', 'RUNNING', 'CHECKPOINTING', 'STOPPING')
                    and not exists (select from attempt a where a.job_id = j.id and a.number = j.attempt
                        and a.ended_at is null)
                """),
        ENDED_WITH_OPEN_ATTEMPT("""
                select distinct j.id::text from attempt a join job j on j.id = a.job_id
                where a.ended_at is null
                    and (j.state in ('QUEUED', 'HELD', 'SUCCEEDED', 'FAILED', 'CANCELLED') or a.number < j.attempt)
                """),
        NO_REASON("""
                select j.id::text from job j where j.state in ('QUEUED', 'HELD') and j.waiting_since < :settled
                    and not exists (select from explanation e where e.job_id = j.id)
                """),
        USE_DIFFERS_FROM_LEDGER("""
                select j.id::text from job j join job_usage u on u.job_id = j.id
                where j.ended_at > :recent
                    and j.ended_at < (select accounted_until - interval '2 minutes' from usage_mark)
                    and not exists (select from replica r where r.job_id = j.id and r.released_at is null)
                group by j.id having sum(u.gpu_seconds) <> (
                    select coalesce(sum(r.gpus * floor(extract(epoch from
                        greatest(interval '0', r.released_at - r.started_at)))), 0)
                    from replica r where r.job_id = j.id and r.started_at is not null)
                """),
        COMMAND_STUCK("""
                select job_id::text from cluster_command
                where done_at is null and not_before < now() - interval '15 minutes'
                """);

        private final String query;

        Invariant(String query) {
            this.query = query;
        }
    }

    /** An invariant that does not hold, and where: jobs or nodes. */
    public record Broken(Invariant invariant, List<String> where) {}

    /**
     * Looks at everything, at one instant of the ledger; tells, counts and returns what is broken.
     *
     * @param settled whoever waits since before this has had its cycle, and must have a reason
     */
    public List<Broken> audit(Instant settled) {
        List<Broken> broken = oneInstant.execute(status -> Arrays.stream(Invariant.values())
                .map(invariant -> new Broken(invariant, where(invariant, settled)))
                .toList());
        for (Broken each : broken == null ? List.<Broken>of() : broken) {
            AtomicLong gauge = gauges.get(each.invariant());
            if (gauge != null) {
                gauge.set(each.where().size());
            }
            if (!each.where().isEmpty()) {
                LOG.error(
                        "Invariant broken: {} at {}",
                        each.invariant(),
                        each.where().stream().limit(MOST_NAMED).toList());
            }
        }
        return broken == null
                ? List.of()
                : broken.stream().filter(each -> !each.where().isEmpty()).toList();
    }

    private List<String> where(Invariant invariant, Instant settled) {
        return jdbc.sql(invariant.query)
                .param("settled", SqlInstant.of(settled))
                .param("recent", SqlInstant.of(settled.minus(Duration.ofDays(1))))
                .query(String.class)
                .list();
    }
}
