package io.muster.web;

import io.muster.model.Refusal;
import io.muster.web.view.ProblemView;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns a refusal of any module into a problem that names the field. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class RefusalAdvice {
    private static final String TYPES = "https://muster.dev/problems/";

    @ExceptionHandler
    ResponseEntity<ProblemView> refused(Refusal refusal) {
        return switch (refusal.kind()) {
            case INVALID -> problem(HttpStatus.UNPROCESSABLE_CONTENT, "invalid", refusal);
            case OVER_PROMISED -> problem(HttpStatus.UNPROCESSABLE_CONTENT, "over-promised", refusal);
            case STALE -> problem(HttpStatus.PRECONDITION_FAILED, "stale", refusal);
            case CONFLICT -> problem(HttpStatus.CONFLICT, "not-possible", refusal);
            case NOT_FOUND -> problem(HttpStatus.NOT_FOUND, "not-found", refusal);
            case NOT_ALLOWED -> problem(HttpStatus.FORBIDDEN, "not-allowed", refusal);
        };
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> lost(OptimisticLockingFailureException race) {
        return refused(Refusal.stale());
    }

    private static ResponseEntity<ProblemView> problem(HttpStatus status, String slug, Refusal refusal) {
        String field = refusal.field();
        List<ProblemView.FieldError> errors = field == null
                ? List.of()
                : List.of(new ProblemView.FieldError(field, slug, refusal.sentence(), null, null));
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(new ProblemView(
                        TYPES + slug,
                        status.getReasonPhrase(),
                        status.value(),
                        refusal.sentence(),
                        null,
                        errors,
                        List.of()));
    }
}
