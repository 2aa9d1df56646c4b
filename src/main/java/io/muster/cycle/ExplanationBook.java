package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.job.ExplanationCodec;
import io.muster.job.LedgerJob;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.scheduling.plan.Explained;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * reasons of thousands change whenever anybody starts. Of these the front of the queue goes first, then those that have
 * another reason than was written, then whoever was looked at longest ago. What is left comes in the next cycles. So a
 * cycle compares in full as few explanations as it writes, or a little more, however many wait.
 */
@Component
class ExplanationBook {
    private static final int MOST_NEW = 1000;
    private static final int MOST_CHANGED = 300;
    /** Of those in front every change is written. */
    private static final int FRONT = 50;

    private static final int MOST_OTHER_REASONS = 150;
    /** So many are looked at for other numbers than were written; most have them when something happens. */
    private static final int MOST_COMPARED = 2_000;
    /** Jobs that wait no more are forgotten when they have become so many. */
    private static final int FEW = 1_000;

    private static final int NOT_PLANNED = -1;
    /** For every so many that wait, one cycle more goes by before all are explained again: it costs as much as a plan. */
    private static final int EVERY_CYCLE = 10_000;

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
    /** Jobs of which something was written, those first that were compared longest ago. */
    private final ArrayDeque<JobId> turns = new ArrayDeque<>();

    private long round;
    private long cycles;

    ExplanationBook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What was written last of a job, at which version of its row; a hash, as a hundred thousand jobs may wait. */
    private static final class Written {
        private long version;
        private String bindingKind = "";
        private int place;
        private int hash;
        private @Nullable Instant expectedStart;
        private @Nullable Instant latestStart;
        /** The round in which it was seen last, and where its explanation stands in that round's plan. */
        private long seen;

        private int at;
        private boolean hasTurn;

        void say(LedgerJob job, Explanation e) {
            version = job.version();
            bindingKind = e.reasons().getFirst().kind();
            place = e.place();
            hash = hashOf(e);
            expectedStart = e.expectedStart();
            latestStart = e.latestStart();
        }

        boolean saysTheSame(Explanation e) {
            return place == e.place()
                    && near(expectedStart, e.expectedStart(), e.asOf())
                    && near(latestStart, e.latestStart(), e.asOf())
                    && hash == hashOf(e);
        }

        private static int hashOf(Explanation e) {
            return Objects.hash(e.reasons(), e.before(), e.remedies(), e.startBy(), e.laterThan() == null);
        }
    }

    private record Due(LedgerJob job, Explanation explanation) {}

    void forget() {
        written.clear();
        turns.clear();
    }

    /**
     * Writes what is new, in the caller's transaction.
     *
     * @param planned of the jobs that the plan leaves waiting, in the order of their places
     * @param leaving jobs that this very commit starts
     */
    void write(Explained planned, World world, Set<JobId> leaving, Instant asOf) {
        cycles++;
        if (cycles % (1 + world.jobs().size() / EVERY_CYCLE) == 0) {
            writeAll(planned.all(), world, leaving, asOf);
        }
    }

    private void writeAll(List<Explanation> planned, World world, Set<JobId> leaving, Instant asOf) {
        round++;
        var look = new Look(world, planned);
        for (int i = 0; i < planned.size(); i++) {
            LedgerJob job = world.job(planned.get(i).job());
            if (job != null && !leaving.contains(job.id())) {
                look.at(job, planned.get(i), i);
            }
        }
        for (LedgerJob job : world.jobs()) {
            if (isUnseen(job, look) && !leaving.contains(job.id())) {
                look.at(job, OwnReasons.of(job, asOf), NOT_PLANNED);
            }
        }
        store(look.chosen(), asOf);
        forgetSome(planned.size());
    }

    /** It waits, and the plan says nothing of it. */
    private boolean isUnseen(LedgerJob job, Look look) {
        JobState state = job.life().state();
        if (state != JobState.QUEUED && state != JobState.HELD) {
            return false;
        }
        Written before = written.get(job.id());
        return before == null ? !look.fresh.contains(job.id()) : before.seen != round;
    }

    /** One round's look at all that wait. */
    private final class Look {
        private final World world;
        private final List<Explanation> planned;
        private final Set<JobId> fresh = new HashSet<>();
        private final List<Due> due = new ArrayList<>();
        private final List<Due> otherReasons = new ArrayList<>();
        private final Set<JobId> chosen = new HashSet<>();

        Look(World world, List<Explanation> planned) {
            this.world = world;
            this.planned = planned;
        }

        void at(LedgerJob job, Explanation explanation, int at) {
            Written before = written.get(job.id());
            if (before == null || before.version != job.version()) {
                fresh.add(job.id());
                if (before != null) {
                    before.seen = round;
                    before.at = NOT_PLANNED;
                }
                if (fresh.size() <= MOST_NEW) {
                    due.add(new Due(job, explanation));
                }
                return;
            }
            before.seen = round;
            before.at = at;
            boolean otherReason =
                    !before.bindingKind.equals(explanation.reasons().getFirst().kind());
            boolean inFront = at != NOT_PLANNED && at < FRONT;
            if (inFront && !before.saysTheSame(explanation)) {
                choose(new Due(job, explanation));
            } else if (otherReason && otherReasons.size() < MOST_OTHER_REASONS) {
                otherReasons.add(new Due(job, explanation));
            }
        }

        List<Due> chosen() {
            int most = Math.min(fresh.size(), MOST_NEW) + MOST_CHANGED;
            otherReasons.forEach(this::choose);
            for (int i = Math.min(MOST_COMPARED, turns.size()); i > 0 && due.size() < most; i--) {
                compare(turns.removeFirst());
            }
            return due;
        }

        private void choose(Due one) {
            if (chosen.add(one.job().id())) {
                due.add(one);
            }
        }

        private void compare(JobId id) {
            Written before = written.get(id);
            LedgerJob job = world.job(id);
            if (before == null || job == null || before.seen != round) {
                if (before != null) {
                    before.hasTurn = false;
                }
                return; // It waits no more; when it does again it is new.
            }
            turns.addLast(id);
            if (before.at != NOT_PLANNED && !before.saysTheSame(planned.get(before.at))) {
                choose(new Due(job, planned.get(before.at)));
            }
        }
    }

    private void forgetSome(int waiting) {
        if (written.size() > FEW + 2 * waiting) {
            written.values().removeIf(w -> w.seen != round);
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
        due.forEach(this::wrote);
    }

    private void wrote(Due one) {
        JobId id = one.job().id();
        Written before = written.get(id);
        if (before == null) {
            before = new Written();
            written.put(id, before);
        }
        if (!before.hasTurn) {
            before.hasTurn = true;
            turns.addLast(id);
        }
        before.seen = round;
        before.say(one.job(), one.explanation());
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
