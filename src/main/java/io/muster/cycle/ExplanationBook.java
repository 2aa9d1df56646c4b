package io.muster.cycle;

import io.muster.job.ExplanationCodec;
import io.muster.job.LedgerJob;
import io.muster.job.SqlInstant;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.stereotype.Component;

/**
 * Keeps why each waiting job waits. A row is written only when it says something new, and at most
 * {@value #MOST_PER_CYCLE} in one cycle: those that say nothing yet first, then those whose binding reason changed, then
 * by place in order. What is left comes in the next cycles.
 */
@Component
class ExplanationBook {
    private static final int MOST_PER_CYCLE = 2000;
    private static final Duration SAME_MINUTE = Duration.ofMinutes(1);
    private static final String WRITE = """
            insert into explanation as e (job_id, as_of, place, body, digest)
            select id, :at, :place, :body::jsonb, :digest from job
            where id = :job and version = :version and state in ('QUEUED', 'HELD')
            on conflict (job_id) do update set as_of = excluded.as_of, place = excluded.place, body = excluded.body,
                digest = excluded.digest
            where e.digest <> excluded.digest
            """;

    private final NamedParameterJdbcTemplate jdbc;
    private final Map<JobId, Written> written = new HashMap<>();

    ExplanationBook(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** What was written last of a job, at which version of its row; a hash, as a hundred thousand jobs may wait. */
    private record Written(
            long version,
            String bindingKind,
            int place,
            int hash,
            @Nullable Instant expectedStart,
            @Nullable Instant latestStart) {
        static Written of(LedgerJob job, Explanation e) {
            return new Written(
                    job.version(),
                    e.reasons().getFirst().kind(),
                    e.place(),
                    hashOf(e),
                    e.expectedStart(),
                    e.latestStart());
        }

        boolean saysTheSame(Explanation e) {
            return place == e.place()
                    && hash == hashOf(e)
                    && near(expectedStart, e.expectedStart(), e.asOf())
                    && near(latestStart, e.latestStart(), e.asOf());
        }

        private static int hashOf(Explanation e) {
            return Objects.hash(e.reasons(), e.before(), e.remedies());
        }
    }

    private record Due(LedgerJob job, Explanation explanation, int urgency) {
        static final Comparator<Due> ORDER = Comparator.comparingInt(Due::urgency)
                .thenComparing(d -> d.explanation().place())
                .thenComparing(d -> d.job().id());
    }

    void forget() {
        written.clear();
    }

    /**
     * Writes what is new, in the caller's transaction.
     *
     * @param planned of the jobs that the plan leaves waiting
     * @param leaving jobs that this very commit starts
     */
    void write(List<Explanation> planned, World world, Set<JobId> leaving, Instant asOf) {
        written.keySet().removeIf(id -> world.job(id) == null || leaving.contains(id));
        var due = new ArrayList<Due>();
        var explained = new HashSet<JobId>();
        for (Explanation explanation : planned) {
            LedgerJob job = world.job(explanation.job());
            if (job != null && !leaving.contains(job.id())) {
                explained.add(job.id());
                add(job, explanation, due);
            }
        }
        for (LedgerJob job : world.jobs()) {
            if (!explained.contains(job.id()) && !leaving.contains(job.id())) {
                Explanation own = ofItself(job, asOf);
                if (own != null) {
                    add(job, own, due);
                }
            }
        }
        due.sort(Due.ORDER);
        store(due.subList(0, Math.min(due.size(), MOST_PER_CYCLE)));
    }

    /** A held job, and one that no plan has seen, explain themselves. */
    private static @Nullable Explanation ofItself(LedgerJob job, Instant asOf) {
        return switch (job.life().state()) {
            case HELD -> held(job, asOf);
            case QUEUED -> notYetPlanned(job, asOf);
            case STARTING, RUNNING, CHECKPOINTING, STOPPING, SUCCEEDED, FAILED, CANCELLED -> null;
        };
    }

    static Explanation held(LedgerJob job, Instant asOf) {
        String why = job.past().holdWhy();
        return alone(job, asOf, new Reason.Held(why == null ? "held" : why));
    }

    static Explanation notYetPlanned(LedgerJob job, Instant asOf) {
        return alone(job, asOf, new Reason.NotYetPlanned());
    }

    private static Explanation alone(LedgerJob job, Instant asOf, Reason reason) {
        return new Explanation(job.id(), asOf, List.of(reason), 0, List.of(), null, null, List.of());
    }

    private void add(LedgerJob job, Explanation explanation, List<Due> due) {
        Written before = written.get(job.id());
        if (before == null || before.version() != job.version()) {
            due.add(new Due(job, explanation, 0));
        } else if (!before.bindingKind().equals(explanation.reasons().getFirst().kind())) {
            due.add(new Due(job, explanation, 1));
        } else if (!before.saysTheSame(explanation)) {
            due.add(new Due(job, explanation, 2));
        }
    }

    /** An estimate that moved by less than a tenth of what is left, or a minute, is the same to people. */
    private static boolean near(@Nullable Instant a, @Nullable Instant b, Instant now) {
        if (a == null || b == null) {
            return a == b;
        }
        Duration tenth = Duration.between(now, b).abs().dividedBy(10);
        Duration most = tenth.compareTo(SAME_MINUTE) > 0 ? tenth : SAME_MINUTE;
        return Duration.between(a, b).abs().compareTo(most) <= 0;
    }

    private void store(List<Due> due) {
        if (due.isEmpty()) {
            return;
        }
        jdbc.batchUpdate(WRITE, due.stream().map(ExplanationBook::params).toArray(SqlParameterSource[]::new));
        due.forEach(d -> written.put(d.job().id(), Written.of(d.job(), d.explanation())));
    }

    private static MapSqlParameterSource params(Due due) {
        Explanation e = due.explanation();
        var timeless = new Explanation(
                e.job(),
                Instant.EPOCH,
                e.reasons(),
                e.place(),
                e.before(),
                e.expectedStart(),
                e.latestStart(),
                e.remedies());
        return new MapSqlParameterSource()
                .addValue("job", due.job().id().value())
                .addValue("version", due.job().version())
                .addValue("at", SqlInstant.of(e.asOf()))
                .addValue("place", e.place())
                .addValue("body", ExplanationCodec.toJson(e))
                .addValue("digest", digest(ExplanationCodec.toJson(timeless)));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
