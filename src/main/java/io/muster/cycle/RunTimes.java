package io.muster.cycle;

import io.muster.job.JobDocument;
import io.muster.job.LedgerJob;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * How long jobs of a kind run, learned anew every few minutes from those that ended last, whatever their end was. A kind
 * is all jobs, then those of so many GPUs, of the team, of the user, and of the name but for its numbers.
 */
@Component
class RunTimes {
    private static final Duration PERIOD = Duration.ofMinutes(5);
    /** With a clock that runs fast, five minutes are a moment. */
    private static final Duration AT_MOST = Duration.ofSeconds(5);
    /** So many are learned from; it bounds what is read and kept. */
    private static final int MOST = 20_000;

    private static final Pattern NUMBERS = Pattern.compile("\\d+");
    private static final String ENDED = """
            select team_id, submitted_by, name, gpus, ran_seconds from job
            where ended_at is not null and ran_seconds > 0 order by ended_at desc, id desc limit :most
            """;

    private final JdbcClient jdbc;
    private @Nullable RunTimeHistory learned;
    private Instant learnedAt = Instant.EPOCH;
    private long learnedNanos;

    RunTimes(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is known by now. */
    synchronized RunTimeHistory asOf(Instant now) {
        var known = learned;
        boolean due = !now.isBefore(learnedAt.plus(PERIOD)) && System.nanoTime() - learnedNanos >= AT_MOST.toNanos();
        if (known == null || due) {
            known = learn();
            learned = known;
            learnedAt = now;
            learnedNanos = System.nanoTime();
        }
        return known;
    }

    private RunTimeHistory learn() {
        var history = new RunTimeHistory();
        jdbc.sql(ENDED).param("most", MOST).query(row -> {
            var kinds = kinds(
                    row.getInt("gpus"),
                    new TeamId(row.getObject("team_id", UUID.class)),
                    new UserId(row.getObject("submitted_by", UUID.class)),
                    row.getString("name"));
            history.ended(kinds, Duration.ofSeconds(row.getLong("ran_seconds")));
        });
        return history;
    }

    /** What a job that ran for {@code ran} in all had, and what its next end costs by {@code history}. */
    static Service service(
            RunTimeHistory history, int gpus, TeamId team, UserId user, JobDocument document, Duration ran) {
        double seconds = history.cost(kinds(gpus, team, user, document.name()), ran);
        return new Service(ran, Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** The same of a job in the ledger, whose present attempt ran for {@code present}. */
    static Service service(RunTimeHistory history, LedgerJob job, JobDocument document, Duration present) {
        var ran = Duration.ofSeconds(job.past().ranSeconds()).plus(present);
        return service(history, job.gpus(), job.team(), job.user(), document, ran);
    }

    private static List<String> kinds(int gpus, TeamId team, UserId user, String name) {
        var kinds = new ArrayList<>(RunTimeHistory.kinds(gpus, team, user));
        kinds.add(kinds.getLast() + " as " + stem(name));
        return kinds;
    }

    /** {@code train-7} and {@code Train-12} are of one kind. */
    static String stem(String name) {
        return NUMBERS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("#");
    }
}
