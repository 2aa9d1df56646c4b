package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.PoolId;
import io.muster.scheduling.plan.Decision;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * GPUs that were asked back from teams that borrowed them, for teams outside their guarantees: the policy limits how
 * many in how long. Kept in the ledger, so that neither a restart nor another leader forgets what was taken.
 */
@Component
class ReclaimBook {
    private final JdbcClient jdbc;

    ReclaimBook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A victim asked to yield, where it ran. */
    record Reclaim(Decision.RequestCheckpoint asked, PoolId pool) {}

    /** True when the limit counts it. */
    static boolean counts(Decision.RequestCheckpoint asked) {
        return asked.cause() == Decision.Cause.RECLAIM && !asked.guaranteed();
    }

    /** Keeps what was asked back, in the transaction that asks. */
    void note(List<Reclaim> reclaims, Instant at) {
        if (reclaims.isEmpty()) {
            return;
        }
        List<AttemptId> attempts =
                reclaims.stream().map(r -> r.asked().attempt()).toList();
        jdbc.sql("""
                        insert into reclaim (at, pool, job_id, attempt, beneficiary, gpus)
                        select :at, * from unnest(:pools::text[], :jobs::bigint[], :attempts::integer[],
                            :beneficiaries::bigint[], :gpus::integer[])
                        on conflict do nothing
                        """)
                .param("at", SqlInstant.of(at))
                .param("pools", reclaims.stream().map(r -> r.pool().value()).toArray(String[]::new))
                .param("jobs", attempts.stream().map(a -> a.job().value()).toArray(Long[]::new))
                .param("attempts", attempts.stream().map(AttemptId::number).toArray(Integer[]::new))
                .param(
                        "beneficiaries",
                        reclaims.stream()
                                .map(r -> r.asked().beneficiary().value())
                                .toArray(Long[]::new))
                .param("gpus", reclaims.stream().map(r -> r.asked().gpusFreed()).toArray(Integer[]::new))
                .update();
    }

    /** By pool, what was asked back after {@code since}. */
    Map<PoolId, Integer> since(Instant since) {
        var sums = new HashMap<PoolId, Integer>();
        jdbc.sql("select pool, sum(gpus)::integer as gpus from reclaim where at > :since group by pool")
                .param("since", SqlInstant.of(since))
                .query(row -> {
                    sums.put(new PoolId(row.getString("pool")), row.getInt("gpus"));
                });
        return sums;
    }
}
