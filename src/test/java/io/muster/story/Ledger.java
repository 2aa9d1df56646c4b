package io.muster.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.support.Database;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What must hold in the ledger, asked in SQL of its own: it shares no code with the server that keeps it. */
final class Ledger {
    /** At every instant, also while things move. */
    private static final Map<String, String> ALWAYS = Map.of(
            "nodes of which more GPUs are given away than they have", """
            select n.id from node n join replica r on r.node = n.id and r.released_at is null
            group by n.id, n.capacity_gpus having sum(r.gpus) > n.capacity_gpus""",
            "gangs of which only a part was placed", """
            select id::text from (
                select j.id, j.replicas as all_of_them,
                    (select sum(coalesce(g ->> 3, g ->> 1)::int) from jsonb_array_elements(j.shape) g) as fewest,
                    (select count(*) from replica r where r.job_id = j.id and r.attempt = j.attempt) as placed
                from job j where j.state in ('STARTING', 'RUNNING')) gang
            where placed not between fewest and all_of_them""",
            "attempts of another size than they were opened with", """
            select a.job_id || '/' || a.number from attempt a where a.replicas <>
            (select count(*) from replica r where r.job_id = a.job_id and r.attempt = a.number)""",
            "jobs with two live attempts", """
            select job_id::text from replica where released_at is null
            group by job_id having count(distinct attempt) > 1""",
            "attempts that the cluster was told to start twice", """
            select job_id || '/' || attempt from cluster_command where kind = 'START'
            group by job_id, attempt having count(*) > 1""",
            "jobs that left a terminal state", """
            select job_id::text from job_event where kind = 'state-changed' and from_state <> to_state
            and from_state in ('SUCCEEDED', 'FAILED', 'CANCELLED')""",
            "jobs that wait or have ended and hold GPUs", """
            select j.id::text from job j join replica r on r.job_id = j.id and r.released_at is null
            where j.state in ('QUEUED', 'HELD', 'SUCCEEDED', 'FAILED', 'CANCELLED')""",
            "replicas of one attempt that were given a node twice", """
            select job_id || '/' || attempt from replica group by job_id, attempt
            having count(*) <> count(distinct rank_order)""");

    /** Once everything has ended and the books are up to date. */
    private static final Map<String, String> AT_REST = Map.of(
            "replicas that still hold GPUs", """
            select job_id::text from replica where released_at is null""",
            "attempts that never ended", """
            select job_id || '/' || number from attempt where ended_at is null""",
            "jobs whose booked use differs from what their replicas held", """
            select coalesce(u.job_id, h.job_id)::text
            from (select job_id, sum(gpu_seconds) as s from job_usage group by job_id) u
            full join (select job_id, sum(gpus * floor(extract(epoch from
                greatest(interval '0', released_at - started_at)))) as s
                from replica where started_at is not null group by job_id) h using (job_id)
            where coalesce(u.s, 0) <> coalesce(h.s, 0)""",
            "days whose use differs from that of their jobs", """
            select 'all' where (select coalesce(sum(gpu_seconds), 0) from usage_day)
                <> (select coalesce(sum(gpu_seconds), 0) from job_usage)""",
            "promises to jobs that have ended", """
            select job_id::text from reservation""",
            "commands that nobody carried out", """
            select job_id || '/' || attempt || ' ' || kind from cluster_command where done_at is null""");

    /** Of a server whose database is out of reach: nothing is known to be broken. */
    static final Ledger UNSEEN = new Ledger();

    private final @Nullable JdbcClient jdbc;

    Ledger(Database database) {
        this.jdbc = database.jdbc();
    }

    private Ledger() {
        this.jdbc = null;
    }

    void holds() {
        assertThat(broken(ALWAYS)).as("what must hold at every instant").isEmpty();
    }

    /** Use is booked once a minute, or every five seconds where the clock is fast. */
    void awaitBalance() {
        holds();
        await().atMost(Duration.ofMinutes(4))
                .untilAsserted(() -> assertThat(broken(AT_REST))
                        .as("what must hold once everything has ended")
                        .isEmpty());
    }

    /** What is broken, and where. */
    private Map<String, List<String>> broken(Map<String, String> invariants) {
        var broken = new TreeMap<String, List<String>>();
        var client = jdbc;
        if (client == null) {
            return broken;
        }
        invariants.forEach((what, sql) -> {
            var where = client.sql(sql).query(String.class).list();
            if (!where.isEmpty()) {
                broken.put(what, where);
            }
        });
        return broken;
    }
}
