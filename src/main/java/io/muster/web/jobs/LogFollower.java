package io.muster.web.jobs;

import io.muster.job.JobLogs;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.web.live.LiveStream;
import io.muster.web.live.LiveStreams;
import io.muster.web.view.LogPage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Sends a job's output as it grows. However fast a program prints and however slowly its reader reads, one stream holds
 * one small piece; what is quiet is looked at less often.
 */
@Component
class LogFollower {
    private static final int MOST_LINES = 500;
    private static final int MOST_CHARS = 64 * 1024;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration SELDOM = Duration.ofSeconds(2);

    private final JobLogs logs;
    private final LiveStreams streams;

    LogFollower(JobLogs logs, LiveStreams streams) {
        this.logs = logs;
        this.streams = streams;
    }

    /**
     * What is to be followed.
     *
     * @param team whose output it is: who may no longer look into the team hears no more
     * @param from where to go on, by replica
     * @param tail begin with the last lines instead, or null
     */
    record Wish(
            TeamId team,
            JobLogs.Scope scope,
            @Nullable String search,
            SortedMap<String, Long> from,
            @Nullable Integer tail) {}

    private record Look(JobLogs.Standing standing, JobLogs.Piece piece) {}

    void follow(LiveStream stream, Wish wish) throws IOException, InterruptedException {
        // Until something is written, the listener does not know that it was let in.
        stream.beat();
        SortedMap<String, Long> at = begin(stream, wish);
        long dropped = 0;
        long sentAt = System.nanoTime();
        Duration pause = LOOK;
        while (mayHear(stream, wish)) {
            Look look = look(wish, at);
            at = look.piece().positions();
            boolean news = !look.piece().lines().isEmpty();
            send(stream, wish, look.piece().lines());
            if (look.standing().dropped() > dropped) {
                dropped = look.standing().dropped();
                stream.send("dropped", null, Map.of("lines", dropped));
            }
            if (look.piece().more()) {
                continue;
            }
            if (!look.standing().grows()) {
                stream.send("end", null, Map.of());
                return;
            }
            if (!news && System.nanoTime() - sentAt >= LiveStreams.BEAT.toNanos()) {
                stream.beat();
                news = true;
            } else {
                pause = news ? LOOK : longer(pause);
            }
            sentAt = news ? System.nanoTime() : sentAt;
            Thread.sleep(pause);
        }
    }

    private SortedMap<String, Long> begin(LiveStream stream, Wish wish) throws IOException, InterruptedException {
        if (wish.tail() == null || !wish.from().isEmpty()) {
            return wish.from();
        }
        int lines = wish.tail();
        JobLogs.Piece piece = streams.read(() -> logs.tail(wish.scope(), wish.search(), lines, MOST_CHARS));
        send(stream, wish, piece.lines());
        return piece.positions();
    }

    /** How it stands is asked before reading: what is printed in between is read the next time. */
    private Look look(Wish wish, SortedMap<String, Long> at) throws InterruptedException {
        return streams.read(() -> new Look(
                logs.standing(wish.scope()), logs.after(wish.scope(), at, wish.search(), MOST_LINES, MOST_CHARS)));
    }

    private static void send(LiveStream stream, Wish wish, List<JobLogs.Line> lines) throws IOException {
        for (JobLogs.Line line : lines) {
            if (!mayHear(stream, wish)) {
                return;
            }
            stream.send("log", null, view(line));
        }
    }

    private static boolean mayHear(LiveStream stream, Wish wish) {
        return stream.isOpen() && stream.reader().may(wish.team(), Role.VIEWER);
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(SELDOM) < 0 ? twice : SELDOM;
    }

    static LogPage.Line view(JobLogs.Line line) {
        return new LogPage.Line(line.attempt(), line.replica(), line.line(), line.at(), line.text());
    }
}
