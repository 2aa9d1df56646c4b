package io.muster.web.problem;

import io.muster.job.JsonMistake;
import io.muster.web.view.ProblemView;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Bodies other than job documents, as Jackson refuses them. */
final class JsonFaults {
    private JsonFaults() {}

    /** @param body as far as it was read */
    static Problem problem(JacksonException e, byte[] body) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference each : e.getPath()) {
            if (each.getPropertyName() == null) {
                path.append('[').append(each.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(each.getPropertyName());
            }
        }
        var at = e.getLocation();
        Integer line = at == null || at.getLineNr() < 1 ? null : at.getLineNr();
        Integer column = at == null || at.getColumnNr() < 1 ? null : at.getColumnNr();
        // A number too large to be held is read well: its field is known.
        boolean unreadable = e instanceof StreamReadException && !(e instanceof InputCoercionException);
        if (unreadable || path.isEmpty()) {
            return syntax(mistake(body), line, column);
        }
        Fault fault = fault(e);
        return Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid", path + ": " + fault.message())
                .at(new ProblemView.FieldError(path.toString(), fault.code(), fault.message(), line, column));
    }

    /** In our own words when the text is no JSON; else it is JSON of another kind than is wanted here, or beyond bounds. */
    private static Problem syntax(Optional<JsonMistake> mistake, @Nullable Integer line, @Nullable Integer column) {
        if (mistake.isEmpty()) {
            String message = "This is no JSON that makes sense here.";
            return Problem.of(HttpStatus.BAD_REQUEST, "malformed", message)
                    .at(new ProblemView.FieldError("", "syntax", message, line, column));
        }
        JsonMistake m = mistake.get();
        return Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "malformed",
                        "Line %d, column %d: %s".formatted(m.line(), m.column(), m.message()))
                .at(new ProblemView.FieldError("", m.code(), m.message(), m.line(), m.column()));
    }

    /** What was not kept of a long body, or not read any more, cannot be judged. */
    private static Optional<JsonMistake> mistake(byte[] body) {
        if (body.length >= BodyLimitFilter.KEPT) {
            return Optional.empty();
        }
        String text = new String(body, StandardCharsets.UTF_8);
        return JsonMistake.in(text)
                .or(() -> text.indexOf('\uFFFD') < 0
                        ? Optional.empty()
                        : Optional.of(new JsonMistake("encoding", "the text is not UTF-8", 1, 1)));
    }

    private record Fault(String code, String message) {}

    private static Fault fault(JacksonException e) {
        if (e instanceof UnrecognizedPropertyException) {
            return new Fault("unknown-field", "there is no such field");
        }
        if (e instanceof InputCoercionException) {
            return new Fault("out-of-range", "is a number beyond all that is taken here");
        }
        // Jackson has no exception of its own for a number or a truth that was left out.
        return String.valueOf(e.getOriginalMessage()).startsWith("Cannot map `null` into type")
                ? new Fault("required", "is missing")
                : new Fault("wrong-type", "has a value of the wrong kind");
    }
}
