package io.muster.web.jobs;

import io.muster.job.JobCatalogue;
import io.muster.job.JobLogs;
import io.muster.job.JobRow;
import io.muster.security.Caller;
import io.muster.tenancy.Reader;
import io.muster.web.live.LiveStream;
import io.muster.web.live.LiveStreams;
import io.muster.web.problem.Cursor;
import io.muster.web.problem.Problem;
import io.muster.web.view.LogPage;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private static final Duration LOOK = Duration.ofMillis(500);

    private final JobCatalogue catalogue;
    private final JobLogs logs;
    private final LiveStreams streams;

    JobLogController(JobCatalogue catalogue, JobLogs logs, LiveStreams streams) {
        this.catalogue = catalogue;
        this.logs = logs;
        this.streams = streams;
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
        JobLogs.Scope scope = scope(id, attempt, replica, reader);
        String search = search(q);
        // Asked before reading: what is printed in between is on the next page.
        boolean grows = logs.mayGrow(scope);
        JobLogs.Piece piece = tail != null && (cursor == null || cursor.isEmpty())
                ? logs.tail(scope, search, Cursor.limit(tail, USUAL, MOST))
                : logs.after(scope, positions(cursor), search, Cursor.limit(limit, USUAL, MOST));
        String next = piece.more() || grows ? cursor(piece.positions()) : null;
        return new LogPage(piece.lines().stream().map(JobLogController::line).toList(), next, logs.dropped(scope));
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
        JobLogs.Scope scope = scope(id, attempt, replica, caller.reader());
        String search = search(q);
        SortedMap<String, Long> from = positions(cursor);
        Integer last = tail == null ? null : Cursor.limit(tail, USUAL, MOST);
        SseEmitter emitter = streams.open(caller, stream -> {
            SortedMap<String, Long> start = from;
            if (last != null && from.isEmpty()) {
                JobLogs.Piece piece = logs.tail(scope, search, last);
                send(stream, piece);
                start = piece.positions();
            }
            follow(stream, scope, start, search);
        });
        return ResponseEntity.ok().header("X-Accel-Buffering", "no").body(emitter);
    }

    private void follow(LiveStream stream, JobLogs.Scope scope, SortedMap<String, Long> from, @Nullable String search)
            throws IOException, InterruptedException {
        SortedMap<String, Long> at = from;
        long dropped = 0;
        int quiet = 0;
        int beats = (int) (Duration.ofSeconds(15).toMillis() / LOOK.toMillis());
        while (stream.isOpen()) {
            boolean grows = logs.mayGrow(scope);
            JobLogs.Piece piece = logs.after(scope, at, search, MOST);
            send(stream, piece);
            at = piece.positions();
            long lost = logs.dropped(scope);
            if (lost > dropped) {
                dropped = lost;
                stream.send("dropped", null, Map.of("lines", lost));
            }
            if (!grows && !piece.more()) {
                stream.send("end", null, Map.of());
                return;
            }
            if (piece.lines().isEmpty() && !piece.more()) {
                quiet++;
                if (quiet % beats == 0) {
                    stream.beat();
                    if (!streams.stillWelcome(stream)) {
                        return;
                    }
                }
                Thread.sleep(LOOK);
            }
        }
    }

    private static void send(LiveStream stream, JobLogs.Piece piece) throws IOException {
        for (JobLogs.Line line : piece.lines()) {
            stream.send("log", null, line(line));
        }
    }

    private JobLogs.Scope scope(long id, @Nullable Integer attempt, @Nullable String replica, Reader reader) {
        JobRow job = catalogue
                .row(Ids.job(id))
                .filter(row -> JobViews.mayLookInto(row, reader))
                .orElseThrow(() -> Problem.notFound("job"));
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
        SortedMap<String, Long> positions = new TreeMap<>();
        String text = Cursor.position(cursor);
        for (String part : text == null || text.isEmpty() ? new String[0] : text.split(",", -1)) {
            Matcher m = POSITION.matcher(part);
            if (!m.matches()) {
                throw Problem.invalid("cursor", "is not one that this list gave");
            }
            positions.put(m.group(1), Long.parseLong(m.group(2)));
        }
        return positions;
    }

    private static String cursor(SortedMap<String, Long> positions) {
        StringBuilder text = new StringBuilder();
        positions.forEach((replica, next) -> text.append(text.isEmpty() ? "" : ",")
                .append(replica)
                .append('=')
                .append(next));
        // An empty cursor would mean the first page again, which is what nothing read yet means.
        return Cursor.of(text.toString());
    }

    private static LogPage.Line line(JobLogs.Line line) {
        return new LogPage.Line(line.attempt(), line.replica(), line.line(), line.at(), line.text());
    }
}
