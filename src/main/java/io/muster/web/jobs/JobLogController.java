package io.muster.web.jobs;

import io.muster.job.JobCatalogue;
import io.muster.job.JobLogs;
import io.muster.job.JobRow;
import io.muster.retention.KeptFor;
import io.muster.security.Caller;
import io.muster.tenancy.Reader;
import io.muster.web.live.LiveStreams;
import io.muster.web.problem.Cursor;
import io.muster.web.problem.Problem;
import io.muster.web.view.LogPage;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.time.Instant;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Stored output of a job, in pages or live. */
@RestController
@RequestMapping("/api/v1/jobs/{id}/logs")
class JobLogController {
    private static final Pattern REPLICA = Pattern.compile("([a-z][a-z0-9-]{0,62})-([0-9]{1,6})");
    private static final Pattern POSITION = Pattern.compile("([a-z0-9-]{1,80})=([0-9]{1,18})");
    private static final int USUAL = 500;
    private static final int MOST = 5000;
    private static final int LONGEST_SEARCH = 200;
    /** However long its lines are. */
    private static final int MOST_CHARS = 2 * 1024 * 1024;

    private final JobCatalogue catalogue;
    private final JobLogs logs;
    private final LiveStreams streams;
    private final LogFollower follower;
    private final KeptFor kept;

    JobLogController(JobCatalogue catalogue, JobLogs logs, LiveStreams streams, LogFollower follower, KeptFor kept) {
        this.catalogue = catalogue;
        this.logs = logs;
        this.streams = streams;
        this.follower = follower;
        this.kept = kept;
    }

    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    LogPage page(
            @PathVariable long id,
            @RequestParam(required = false) @Nullable Integer attempt,
            @RequestParam(required = false) @Nullable String replica,
            @RequestParam(required = false) @Nullable String q,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable Integer tail,
            Reader reader) {
        JobRow job = job(id, reader);
        JobLogs.Scope scope = scope(job, attempt, replica);
        String search = search(q);
        // Asked before reading: what is printed in between is on the next page.
        JobLogs.Standing standing = logs.standing(scope);
        JobLogs.Piece piece = tail != null && (cursor == null || cursor.isEmpty())
                ? logs.tail(scope, search, Cursor.limit(tail, USUAL, MOST), MOST_CHARS)
                : logs.after(scope, positions(cursor), search, Cursor.limit(limit, USUAL, MOST), MOST_CHARS);
        String next = piece.more() || standing.grows() ? cursor(piece.positions()) : null;
        return new LogPage(
                piece.lines().stream().map(LogFollower::view).toList(), next, standing.dropped(), keptUntil(job));
    }

    @ApiResponse(
            responseCode = "200",
            description = "A stream of server-sent events",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = "string")))
    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> live(
            @PathVariable long id,
            @RequestParam(required = false) @Nullable Integer attempt,
            @RequestParam(required = false) @Nullable String replica,
            @RequestParam(required = false) @Nullable String q,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable Integer tail,
            Caller caller) {
        JobRow job = job(id, caller.reader());
        LogFollower.Wish wish = new LogFollower.Wish(
                job.team(),
                scope(job, attempt, replica),
                search(q),
                positions(cursor),
                tail == null ? null : Cursor.limit(tail, USUAL, MOST));
        SseEmitter emitter = streams.open(caller, stream -> follower.follow(stream, wish));
        return ResponseEntity.ok().header("X-Accel-Buffering", "no").body(emitter);
    }

    private @Nullable Instant keptUntil(JobRow job) {
        return job.endedAt() == null ? null : job.endedAt().plus(kept.of(JobLogs.SHELF));
    }

    private JobRow job(long id, Reader reader) {
        return catalogue
                .row(Ids.job(id))
                .filter(row -> JobViews.mayLookInto(row, reader))
                .orElseThrow(() -> Problem.notFound("job"));
    }

    private static JobLogs.Scope scope(JobRow job, @Nullable Integer attempt, @Nullable String replica) {
        int number = attempt == null || attempt == 0 ? job.attempt() : attempt;
        if (replica == null || replica.isEmpty()) {
            return new JobLogs.Scope(job.id(), number, null, 0);
        }
        Matcher m = REPLICA.matcher(replica);
        if (!m.matches()) {
            throw Problem.invalid("replica", "must be a replica such as worker-0");
        }
        return new JobLogs.Scope(job.id(), number, m.group(1), Integer.parseInt(m.group(2)));
    }

    private static @Nullable String search(@Nullable String q) {
        if (q == null || q.isEmpty()) {
            return null;
        }
        if (q.length() > LONGEST_SEARCH) {
            throw Problem.invalid("q", "must have at most %d characters".formatted(LONGEST_SEARCH));
        }
        return q;
    }

    private static SortedMap<String, Long> positions(@Nullable String cursor) {
        String text = Cursor.position(cursor);
        return LogPositions.read(text == null ? "" : text);
    }

    private static String cursor(SortedMap<String, Long> positions) {
        // An empty cursor would mean the first page again, which is what nothing read yet means.
        return Cursor.of(LogPositions.write(positions));
    }
}
