package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Which running programs were heard before, by progress or by output, and are silent now. One that never reports, and
 * prints nothing after its greeting, is never among them: its silence says nothing.
 */
@Component
public class Silence {
    /** What is printed in this time after the start is a greeting. */
    private static final Duration GREETING = Duration.ofMinutes(1);

    private final JdbcClient jdbc;

    Silence(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A program that was heard before.
     *
     * @param heardAt its last sign of life
     * @param step its last step, or null: it told none
     * @param suspectedSince it is suspected already, since this silence began; null: it is not
     */
    public record Silent(
            AttemptId attempt,
            Instant heardAt,
            @Nullable Long step,
            @Nullable Instant suspectedSince) {}

    /** Running attempts that were last heard before {@code before}, and all that are suspected. */
    public List<Silent> since(Instant before) {
        return jdbc.sql("""
                        select a.job_id, a.number, greatest(a.progress_at, a.output_at) as heard_at, a.step, a.hung_since
                        from job j join attempt a on a.job_id = j.id and a.number = j.attempt
                        where j.state = 'RUNNING'
                            and (a.progress_at is not null
                                or a.output_at > a.running_at + make_interval(secs => :greeting))
                            and (a.hung_since is not null or greatest(a.progress_at, a.output_at) < :before)
                        order by a.job_id
                        """)
                .param("greeting", GREETING.toSeconds())
                .param("before", SqlInstant.of(before))
                .query((row, n) -> new Silent(
                        new AttemptId(new JobId(row.getLong("job_id")), row.getInt("number")),
                        SqlInstant.read(row, "heard_at"),
                        row.getObject("step", Long.class),
                        SqlInstant.readNullable(row, "hung_since")))
                .list();
    }

    /** Suspects an attempt, or with null no longer does. */
    public void suspect(AttemptId attempt, @Nullable Instant since) {
        jdbc.sql("update attempt set hung_since = :since::timestamptz where job_id = :job and number = :number")
                .param("since", since == null ? null : SqlInstant.of(since))
                .param("job", attempt.job().value())
                .param("number", attempt.number())
                .update();
    }

    /** The replica that fell silent first, when more than one prints: most often the one that keeps the others waiting. */
    public Optional<ReplicaId> straggler(AttemptId attempt) {
        record Last(ReplicaId replica, Instant at) {}
        List<Last> last = jdbc.sql("""
                        select distinct on (grp, idx) grp, idx, body from log_chunk
                        where job_id = :job and attempt = :number order by grp, idx, first_line desc
                        """)
                .param("job", attempt.job().value())
                .param("number", attempt.number())
                .query((row, n) -> new Last(
                        new ReplicaId(attempt, row.getString("grp"), row.getInt("idx")),
                        LogChunk.unpack(row.getBytes("body")).getLast().at()))
                .list();
        return last.size() < 2
                ? Optional.empty()
                : last.stream()
                        .min(Comparator.comparing(Last::at).thenComparing(Last::replica))
                        .map(Last::replica);
    }
}
