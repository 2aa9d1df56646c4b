package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.job.ExplanationCodec;
import io.muster.job.LedgerJob;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Keeps why each waiting job waits. A row is written only when it says something new, and all rows of a cycle in one
 * statement: at most {@value #MOST_NEW} of those that say nothing yet, and {@value #MOST_CHANGED} of the others, as the
 * reasons of thousands change whenever anybody starts. Of these the front of the queue goes first, then whoever was left
 * out longest; another reason counts for more than other numbers. What is left comes in the next cycles.
 */
@Component
class ExplanationBook {
    private static final int MOST_NEW = 1000;
    private static final int MOST_CHANGED = 300;
    private static final int FRONT = 50;
    /** So many rounds earlier comes another reason than other numbers. */
    private static final int OTHER_REASON_AHEAD = 20;

    private static final Duration SAME_MINUTE = Duration.ofMinutes(1);
    private static final String WRITE = """
            insert into explanation as e (job_id, as_of, place, body, digest)
            select j.id, :at, n.place, n.body::jsonb, decode(n.digest, 'hex')
            from unnest(:jobs::bigint[], :versions::bigint[], :places::integer[], :bodies::text[], :digests::text[])
                as n (job, version, place, body, digest)
            join job j on j.id = n.job and j.version = n.version and j.state in ('QUEUED', 'HELD')
            on conflict (job_id) do update set as_of = excluded.as_of, place = excluded.place, body = excluded.body,
                digest = excluded.digest
            where e.digest <> excluded.digest
            """;

    private final JdbcClient jdbc;
    private final Map<JobId, Written> written = new HashMap<>();
    private long round;

    ExplanationBook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What was written last of a job, at which version of its row; a hash, as a hundred thousand jobs may wait. */
    private record Written(
            long round,
            long version,
            String bindingKind,
            int place,
            int hash,
            @Nullable Instant expectedStart,
            @Nullable Instant latestStart) {
        static Written of(long round, LedgerJob job, Explanation e) {
            return new Written(
                    round,
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
            return Objects.hash(e.reasons(), e.before(), e.remedies(), e.startBy(), e.laterThan() == null);
        }
    }

    private enum News {
        FIRST,
        OTHER_REASON,
        OTHER_NUMBERS
    }

    /** @param since the round in which the row was written last */
    private record Due(LedgerJob job, Explanation explanation, News news, long since) {
        static final Comparator<Due> BY_PLACE = Comparator.<Due>comparingInt(
                        d -> d.explanation().place())
                .thenComparing(d -> d.job().id());
        static final Comparator<Due> LEFT_OUT = Comparator.<Due>comparingLong(
                        d -> d.since() - (d.news() == News.OTHER_REASON ? OTHER_REASON_AHEAD : 0))
                .thenComparing(BY_PLACE);
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
        round++;
        store(chosen(due), asOf);
    }

    private static List<Due> chosen(List<Due> due) {
        var chosen = new ArrayList<>(due.stream()
                .filter(d -> d.news() == News.FIRST)
                .sorted(Due.BY_PLACE)
                .limit(MOST_NEW)
                .toList());
        var changed = due.stream()
                .filter(d -> d.news() != News.FIRST)
                .sorted(Due.BY_PLACE)
                .toList();
        int front = Math.min(FRONT, changed.size());
        chosen.addAll(changed.subList(0, front));
        changed.subList(front, changed.size()).stream()
                .sorted(Due.LEFT_OUT)
                .limit(MOST_CHANGED - FRONT)
                .forEach(chosen::add);
        return chosen;
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
            due.add(new Due(job, explanation, News.FIRST, 0));
        } else if (!before.bindingKind().equals(explanation.reasons().getFirst().kind())) {
            due.add(new Due(job, explanation, News.OTHER_REASON, before.round()));
        } else if (!before.saysTheSame(explanation)) {
            due.add(new Due(job, explanation, News.OTHER_NUMBERS, before.round()));
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

    /** The time stands in a column of its own: the text says nothing new only because time went by. */
    private void store(List<Due> due, Instant asOf) {
        if (due.isEmpty()) {
            return;
        }
        List<String> bodies = due.stream()
                .map(d -> ExplanationCodec.toJson(d.explanation().at(Instant.EPOCH)))
                .toList();
        jdbc.sql(WRITE)
                .param("at", SqlInstant.of(asOf))
                .param("jobs", due.stream().map(d -> d.job().id().value()).toArray(Long[]::new))
                .param("versions", due.stream().map(d -> d.job().version()).toArray(Long[]::new))
                .param("places", due.stream().map(d -> d.explanation().place()).toArray(Integer[]::new))
                .param("bodies", bodies.toArray(String[]::new))
                .param("digests", bodies.stream().map(ExplanationBook::digest).toArray(String[]::new))
                .update();
        due.forEach(d -> written.put(d.job().id(), Written.of(round, d.job(), d.explanation())));
    }

    private static String digest(String text) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
