package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.simulation.AttemptFacts;
import io.muster.virtual.AttemptRows.Read;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Keeps, in one batch, what the observer has been told and when there is more to tell. */
final class ToldRows {
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    ToldRows(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /** An attempt that was told, with the facts that were made of it. */
    record Told(Read read, AttemptFacts facts) {}

    /**
     * Frees what ended pods held. Before anybody is told of their end: who hears of it may send others there at once.
     * What is claimed for telling is going to be told, so that it may be kept even if the telling fails.
     */
    void keepEnds(List<Told> told) {
        keepPods(told, false);
    }

    /** Keeps that all of it has been told. */
    void keep(List<Told> told) {
        transaction.executeWithoutResult(_ -> {
            keepAttempts(told);
            keepPods(told, true);
        });
    }

    /** A row that somebody changed meanwhile is due at once: its facts are computed anew from what was told on. */
    private void keepAttempts(List<Told> told) {
        int n = told.size();
        var jobs = new Long[n];
        var numbers = new Integer[n];
        // The driver has no arrays of instants; Postgres reads them.
        var until = new String[n];
        var next = new String[n];
        var versions = new Long[n];
        var gone = new Boolean[n];
        for (int i = 0; i < n; i++) {
            Read read = told.get(i).read();
            AttemptFacts facts = told.get(i).facts();
            Instant at = read.tellingUntil();
            jobs[i] = read.attempt().id().job().value();
            numbers[i] = read.attempt().id().number();
            until[i] = at.toString();
            next[i] = facts.nextAfter(at).map(Instant::toString).orElse(null);
            versions[i] = read.version();
            gone[i] = facts.isGone(at);
        }
        jdbc.sql("""
                with d as (
                    select * from unnest(:jobs::bigint[], :numbers::integer[], :until::timestamptz[],
                        :next::timestamptz[], :versions::bigint[], :gone::boolean[])
                        as d (job_id, attempt, until, next, version, gone)),
                locked as (
                    select job_id, attempt from virtual_attempt join d using (job_id, attempt)
                    order by job_id, attempt for update of virtual_attempt)
                update virtual_attempt a
                set told_until = greatest(a.told_until, d.until),
                    next_due_at = case when a.version = d.version then d.next else d.until end,
                    gone = a.gone or d.gone
                from d join locked using (job_id, attempt)
                where a.job_id = d.job_id and a.attempt = d.attempt
                """)
                .param("jobs", jobs)
                .param("numbers", numbers)
                .param("until", until)
                .param("next", next)
                .param("versions", versions)
                .param("gone", gone)
                .update();
    }

    /** @param goneToo a pod that is gone is on no list any more: only when that has been told */
    private void keepPods(List<Told> told, boolean goneToo) {
        var jobs = new ArrayList<Long>();
        var numbers = new ArrayList<Integer>();
        var ranks = new ArrayList<Integer>();
        var gone = new ArrayList<Boolean>();
        for (Told one : told) {
            Instant at = one.read().tellingUntil();
            for (int i = 0; i < one.read().ended().size(); i++) {
                boolean newlyEnded = !one.read().ended().get(i) && one.facts().hasEnded(i, at);
                boolean newlyGone =
                        goneToo && !one.read().gone().get(i) && one.facts().isGone(i, at);
                if (newlyEnded || newlyGone) {
                    jobs.add(one.read().attempt().id().job().value());
                    numbers.add(one.read().attempt().id().number());
                    ranks.add(i);
                    gone.add(goneToo && one.facts().isGone(i, at));
                }
            }
        }
        if (!jobs.isEmpty()) {
            jdbc.sql("""
                    update virtual_pod p set ended = true, gone = p.gone or d.gone
                    from unnest(:jobs::bigint[], :numbers::integer[], :ranks::integer[], :gone::boolean[])
                        as d (job_id, attempt, rank_order, gone)
                    where p.job_id = d.job_id and p.attempt = d.attempt and p.rank_order = d.rank_order
                    """)
                    .param("jobs", jobs.toArray(Long[]::new))
                    .param("numbers", numbers.toArray(Integer[]::new))
                    .param("ranks", ranks.toArray(Integer[]::new))
                    .param("gone", gone.toArray(Boolean[]::new))
                    .update();
        }
    }

    /** Forgets attempts that are gone since long, and images as a node's clean-up does: tables do not grow for ever. */
    void forgetBefore(Instant attemptsGone, Instant imagesPulled) {
        jdbc.sql("delete from virtual_attempt where gone and told_until < ?")
                .param(SqlInstant.of(attemptsGone))
                .update();
        jdbc.sql("delete from virtual_image where ready_at < ?")
                .param(SqlInstant.of(imagesPulled))
                .update();
    }
}
