package io.muster.dispatch;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The commands that wait for the cluster. What is due and what is claimed goes by the database's own time; a claim lasts
 * until its time is over or its epoch is.
 */
@Component
class CommandOutbox {
    private static final Duration CLAIM = Duration.ofMinutes(5);

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final DispatchFence fence;
    private final Clock clock;

    CommandOutbox(JdbcClient jdbc, TransactionOperations transactions, DispatchFence fence, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.fence = fence;
        this.clock = clock;
    }

    /** A command to come, not before {@code delay} has passed. */
    record Wanted(AttemptId attempt, ClusterCommand.Kind kind, Duration grace, Duration delay) {}

    void add(AttemptId attempt, ClusterCommand.Kind kind, Duration grace, Duration delay) {
        add(List.of(new Wanted(attempt, kind, grace, delay)));
    }

    /** Adds commands in the caller's transaction, which holds the jobs' rows: so ids follow the order per job. */
    void add(List<Wanted> commands) {
        if (commands.isEmpty()) {
            return;
        }
        jdbc.sql("""
                        insert into cluster_command (job_id, attempt, kind, payload, created_at, not_before)
                        select w.job, w.attempt, w.kind, jsonb_build_object('graceSeconds', w.grace), :at,
                            now() + w.delay * interval '1 millisecond'
                        from unnest(:jobs::bigint[], :attempts::integer[], :kinds::text[], :graces::bigint[],
                            :delays::bigint[]) with ordinality as w (job, attempt, kind, grace, delay, nth)
                        order by w.nth
                        """)
                .param("at", SqlInstant.of(clock.instant()))
                .param("jobs", all(commands, w -> w.attempt().job().value(), Long[]::new))
                .param("attempts", all(commands, w -> w.attempt().number(), Integer[]::new))
                .param("kinds", all(commands, w -> w.kind().name(), String[]::new))
                .param("graces", all(commands, w -> w.grace().toSeconds(), Long[]::new))
                .param("delays", all(commands, w -> w.delay().toMillis(), Long[]::new))
                .update();
    }

    private static <C, T> T[] all(List<C> commands, Function<C, T> what, IntFunction<T[]> array) {
        return commands.stream().map(what).toArray(array);
    }

    boolean hasOpen(AttemptId attempt, ClusterCommand.Kind kind) {
        return jdbc.sql("""
                        select exists (select from cluster_command where job_id = :job and attempt = :attempt
                            and kind = :kind and outcome is null)
                        """)
                .param("job", attempt.job().value())
                .param("attempt", attempt.number())
                .param("kind", kind.name())
                .query(Boolean.class)
                .single();
    }

    /** Claims commands that are due, at most one of each job: the oldest. Nothing when this server does not lead. */
    List<ClusterCommand> claim(int most) {
        return Objects.requireNonNull(transactions.execute(status -> {
            OptionalLong epoch = fence.epoch();
            return epoch.isEmpty() ? List.<ClusterCommand>of() : claim(most, "epoch " + epoch.getAsLong());
        }));
    }

    /**
     * Both subqueries are written so that Postgres cannot make a join of the whole table of them, whatever its statistics
     * say of a table that is full now and empty then: of each due command its job's oldest is looked up by the one index
     * that knows it, and the rows that were found are visited by their ids.
     */
    private List<ClusterCommand> claim(int most, String claim) {
        return jdbc.sql("""
                        update cluster_command c
                        set claimed_by = :claim, claimed_until = now() + :seconds * interval '1 second', tries = tries + 1
                        where id = any(array(
                            select id from cluster_command o
                            where done_at is null and not_before <= now()
                                and (claimed_until is null or claimed_until < now() or claimed_by <> :claim)
                                and id = (select min(oldest.id) from cluster_command oldest
                                    where oldest.job_id = o.job_id and oldest.outcome is null)
                            order by not_before, id limit :most for update skip locked))
                        returning id, job_id, attempt, kind, (payload->>'graceSeconds')::bigint as grace, tries,
                            (extract(epoch from clock_timestamp() - not_before) * 1000)::bigint as waited
                        """)
                .param("claim", claim)
                .param("seconds", CLAIM.toSeconds())
                .param("most", most)
                .query((row, n) -> new ClusterCommand(
                        row.getLong("id"),
                        new AttemptId(new JobId(row.getLong("job_id")), row.getInt("attempt")),
                        ClusterCommand.Kind.valueOf(row.getString("kind")),
                        Duration.ofSeconds(row.getLong("grace")),
                        row.getInt("tries"),
                        claim,
                        Duration.ofMillis(Math.max(0, row.getLong("waited")))))
                .list();
    }

    enum Outcome {
        REFUSED,
        SUPERSEDED
    }

    /** Closes a command that is still claimed as here; false: somebody else has it now. */
    boolean close(ClusterCommand command, Outcome outcome, String why) {
        return jdbc.sql("""
                                update cluster_command set done_at = :at, outcome = :outcome, why = :why
                                where id = :id and claimed_by = :claim and tries = :tries and done_at is null
                                """)
                        .param("at", SqlInstant.of(clock.instant()))
                        .param("outcome", outcome.name())
                        .param("why", why)
                        .param("id", command.id())
                        .param("claim", command.claim())
                        .param("tries", command.tries())
                        .update()
                == 1;
    }

    /** Closes those as done that are still claimed as here. */
    List<ClusterCommand> closeDone(List<ClusterCommand> commands) {
        var closed = new HashSet<>(jdbc.sql("""
                        update cluster_command set done_at = :at, outcome = 'DONE', why = ''
                        from unnest(:ids::bigint[], :claims::text[], :tries::integer[]) as w (id, claim, tries)
                        where cluster_command.id = w.id and claimed_by = w.claim and cluster_command.tries = w.tries
                            and done_at is null
                        returning cluster_command.id
                        """)
                .param("at", SqlInstant.of(clock.instant()))
                .param("ids", all(commands, ClusterCommand::id, Long[]::new))
                .param("claims", all(commands, ClusterCommand::claim, String[]::new))
                .param("tries", all(commands, ClusterCommand::tries, Integer[]::new))
                .query(Long.class)
                .list());
        return commands.stream().filter(c -> closed.contains(c.id())).toList();
    }

    /** Gives a command back, to be tried again after {@code delay}. */
    void putBack(ClusterCommand command, Duration delay, String why) {
        jdbc.sql("""
                        update cluster_command set claimed_by = null, claimed_until = null, why = :why,
                            not_before = now() + :delay * interval '1 millisecond'
                        where id = :id and claimed_by = :claim and tries = :tries and done_at is null
                        """)
                .param("why", why)
                .param("delay", delay.toMillis())
                .param("id", command.id())
                .param("claim", command.claim())
                .param("tries", command.tries())
                .update();
    }

    /** How many commands are due and not done. */
    long due() {
        return jdbc.sql("select count(*) from cluster_command where done_at is null and not_before <= now()")
                .query(Long.class)
                .single();
    }
}
