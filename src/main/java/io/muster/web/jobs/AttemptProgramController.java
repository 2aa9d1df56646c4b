package io.muster.web.jobs;

import io.muster.dispatch.AttemptProgram;
import io.muster.dispatch.AttemptProgram.Awaited;
import io.muster.dispatch.AttemptProgram.Reported;
import io.muster.job.PlainDuration;
import io.muster.model.AttemptId;
import io.muster.web.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the program of an attempt asks and tells, with that attempt's own token; security lets nobody else here. */
@RestController
@RequestMapping("/api/v1/jobs/{id}/attempts/{number}")
class AttemptProgramController {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);
    private static final int LONGEST_PATH = 1024;

    private final AttemptProgram program;

    AttemptProgramController(AttemptProgram program) {
        this.program = program;
    }

    /** A request to save; all ranks get the same id. */
    record SignalView(UUID id, boolean thenStop, Instant deadline) {}

    /** A save; {@code signal}: the request that it answers, if any. */
    record CheckpointBody(
            @Nullable UUID signal,
            @Nullable Long step,
            @Nullable String path,
            @Nullable Long bytes) {}

    record ProgressBody(
            @Nullable Long step,
            @Nullable Long of,
            @Nullable Double loss) {}

    @GetMapping("/signals")
    ResponseEntity<SignalView> signals(
            @PathVariable long id,
            @PathVariable int number,
            @RequestParam(required = false) @Nullable String wait,
            @RequestParam(required = false) @Nullable UUID known)
            throws InterruptedException {
        return switch (program.awaitSignal(attempt(id, number), known, wait(wait))) {
            case Awaited.Signal(var signal) ->
                ResponseEntity.ok(new SignalView(signal.id(), signal.thenStop(), signal.deadline()));
            case Awaited.Nothing n -> ResponseEntity.noContent().build();
            case Awaited.Over o -> throw over();
        };
    }

    @PostMapping("/checkpoints")
    ResponseEntity<Void> checkpoint(@PathVariable long id, @PathVariable int number, @RequestBody CheckpointBody body) {
        String path = body.path();
        if (path == null || path.isEmpty() || path.length() > LONGEST_PATH || hasControl(path)) {
            throw Problem.invalid("path", "must be a path of at most %d characters".formatted(LONGEST_PATH));
        }
        Long bytes = body.bytes();
        if (bytes != null && bytes < 0) {
            throw Problem.invalid("bytes", "must not be negative");
        }
        return answer(program.reportCheckpoint(attempt(id, number), body.signal(), step(body.step()), path, bytes));
    }

    @PostMapping("/progress")
    ResponseEntity<Void> progress(@PathVariable long id, @PathVariable int number, @RequestBody ProgressBody body) {
        Double loss = body.loss();
        if (loss != null && !Double.isFinite(loss)) {
            throw Problem.invalid("loss", "must be a finite number");
        }
        Long of = body.of();
        if (of != null && of < 0) {
            throw Problem.invalid("of", "must not be negative");
        }
        return answer(program.reportProgress(attempt(id, number), step(body.step()), of, loss));
    }

    @PostMapping("/finished")
    ResponseEntity<Void> finished(@PathVariable long id, @PathVariable int number) {
        return answer(program.reportFinished(attempt(id, number)));
    }

    private static ResponseEntity<Void> answer(Reported reported) {
        return switch (reported) {
            case Reported.Kept k -> ResponseEntity.noContent().build();
            case Reported.Over o -> throw over();
            case Reported.WrongPath(String below) ->
                throw Problem.invalid(
                        "path",
                        below == null
                                ? "is not expected: the job declared no checkpoint.path"
                                : "must lie below " + below + ", the checkpoint.path of the job");
        };
    }

    private static Problem over() {
        return Problem.of(HttpStatus.GONE, "attempt-over", "This attempt is over; another may have followed it.");
    }

    private static AttemptId attempt(long id, int number) {
        if (number <= 0) {
            throw Problem.notFound("attempt");
        }
        return new AttemptId(Ids.job(id), number);
    }

    private static Duration wait(@Nullable String wait) {
        if (wait == null || wait.isEmpty()) {
            return USUAL_WAIT;
        }
        return PlainDuration.parse(wait)
                .map(asked -> asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked)
                .orElseThrow(() -> Problem.invalid("wait", "must be a duration such as 30s"));
    }

    private static long step(@Nullable Long step) {
        if (step == null || step < 0) {
            throw Problem.invalid("step", "must be a number from 0");
        }
        return step;
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(c -> c < 0x20 || c == 0x7F);
    }
}
