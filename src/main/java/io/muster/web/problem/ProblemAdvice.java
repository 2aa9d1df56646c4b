package io.muster.web.problem;

import io.muster.job.DocumentFault;
import io.muster.job.DocumentRefused;
import io.muster.model.Reason;
import io.muster.model.Refusal;
import io.muster.web.reason.ReasonViews;
import io.muster.web.view.ProblemView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.validation.FieldError;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;

/** Turns every exception of a controller into a problem. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private final ReasonViews reasons;

    ProblemAdvice(ReasonViews reasons) {
        this.reasons = reasons;
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> problem(Problem problem, HttpServletRequest request) {
        return answer(problem, request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> refusal(Refusal refusal, HttpServletRequest request) {
        Problem problem = Problem.of(
                switch (refusal.kind()) {
                    case INVALID, OVER_PROMISED -> HttpStatus.UNPROCESSABLE_CONTENT;
                    case STALE -> HttpStatus.PRECONDITION_FAILED;
                    case CONFLICT -> HttpStatus.CONFLICT;
                    case NOT_FOUND -> HttpStatus.NOT_FOUND;
                    case NOT_ALLOWED -> HttpStatus.FORBIDDEN;
                },
                switch (refusal.kind()) {
                    case INVALID -> "invalid";
                    case OVER_PROMISED -> "over-promised";
                    case STALE -> "stale";
                    case CONFLICT -> "not-possible";
                    case NOT_FOUND -> "not-found";
                    case NOT_ALLOWED -> "not-allowed";
                },
                sentence(refusal));
        String field = refusal.field();
        String code = refusal.kind() == Refusal.Kind.INVALID ? "invalid-value" : problem.slug();
        return answer(field == null ? problem : problem.at(field, code, refusal.sentence()), request);
    }

    /** What is said of a field makes sense beside its name only. */
    private static String sentence(Refusal refusal) {
        return refusal.kind() == Refusal.Kind.INVALID && refusal.field() != null
                ? refusal.field() + ": " + refusal.sentence()
                : refusal.sentence();
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> lost(OptimisticLockingFailureException race, HttpServletRequest request) {
        return refusal(Refusal.stale(), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> document(DocumentRefused refused, HttpServletRequest request) {
        Problem problem = switch (refused.kind()) {
            case MALFORMED -> Problem.of(HttpStatus.BAD_REQUEST, "malformed", where(refused.faults()));
            case TOO_LARGE ->
                Problem.of(HttpStatus.CONTENT_TOO_LARGE, "too-large", "The document " + refused.getMessage() + ".");
            case INVALID -> Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-job", summary(refused.faults()));
            case NEVER_FITS ->
                Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT, "never-fits", capital(String.valueOf(refused.getMessage())));
        };
        for (DocumentFault fault : refused.faults()) {
            problem = problem.at(new ProblemView.FieldError(
                    fault.field(), fault.code(), fault.message(), fault.line(), fault.column()));
        }
        List<Reason> why = refused.reasons();
        return answer(problem.because(why.stream().map(reasons::bare).toList()), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> unreadable(HttpMessageNotReadableException e, HttpServletRequest request) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TooLargeException large) {
                return tooLarge(large, request);
            }
        }
        if (e.getCause() instanceof JacksonException json) {
            return answer(JsonFaults.problem(json, BodyLimitFilter.read(request)), request);
        }
        return answer(
                Problem.of(HttpStatus.BAD_REQUEST, "malformed", "The body is missing or cannot be read."), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> tooLarge(TooLargeException e, HttpServletRequest request) {
        return answer(Problem.of(HttpStatus.CONTENT_TOO_LARGE, "too-large", "A body has at most 1 MiB."), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> mismatch(MethodArgumentTypeMismatchException e, HttpServletRequest request) {
        // A path that names nothing is no such thing; a parameter is a mistake worth naming.
        boolean path =
                e.getParameter().hasParameterAnnotation(org.springframework.web.bind.annotation.PathVariable.class);
        return answer(
                path ? Problem.notFound("thing") : Problem.invalid(e.getName(), wanted(e.getRequiredType())), request);
    }

    private static String wanted(@Nullable Class<?> type) {
        return type != null && (Number.class.isAssignableFrom(type) || type.isPrimitive() && type != boolean.class)
                ? "must be a whole number"
                : "has a value that makes no sense here";
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> missing(MissingServletRequestParameterException e, HttpServletRequest request) {
        return answer(Problem.invalid(e.getParameterName(), "is needed"), request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> missing(MissingRequestHeaderException e, HttpServletRequest request) {
        return answer(
                e.getHeaderName().equalsIgnoreCase("If-Match")
                        ? Problem.of(
                                HttpStatus.PRECONDITION_REQUIRED,
                                "precondition-required",
                                "Send the ETag that you read as If-Match.")
                        : Problem.invalid(e.getHeaderName(), "is needed"),
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> notValid(MethodArgumentNotValidException e, HttpServletRequest request) {
        var faults = e.getBindingResult().getFieldErrors();
        String named = faults.stream().map(FieldError::getField).distinct().collect(Collectors.joining(", "));
        Problem problem = Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid", "Not valid: " + named);
        for (var error : faults) {
            String message =
                    error.isBindingFailure() ? "has a value that makes no sense here" : error.getDefaultMessage();
            problem = problem.at(error.getField(), "invalid-value", String.valueOf(message));
        }
        return answer(problem, request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> notValid(HandlerMethodValidationException e, HttpServletRequest request) {
        Problem problem = Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid", "Some parameters are not valid.");
        for (var each : e.getParameterValidationResults()) {
            String name = String.valueOf(each.getMethodParameter().getParameterName());
            for (var error : each.getResolvableErrors()) {
                problem = problem.at(name, "invalid-value", String.valueOf(error.getDefaultMessage()));
            }
        }
        return answer(problem, request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemView> undecodable(InvalidParameterException e, HttpServletRequest request) {
        return answer(
                Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "malformed",
                        "The address has a parameter that is not written in UTF-8, with % before two digits only."),
                request);
    }

    /** The browser went away, or a stream has ended: there is nobody to tell. */
    @ExceptionHandler({AsyncRequestNotUsableException.class, AsyncRequestTimeoutException.class})
    void gone() {}

    @ExceptionHandler({
        TransientDataAccessException.class,
        DataAccessResourceFailureException.class,
        CannotCreateTransactionException.class
    })
    ResponseEntity<ProblemView> database(Exception e, HttpServletRequest request) {
        LOG.warn("{} {}: the database did not answer", request.getMethod(), request.getRequestURI(), e);
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header("Retry-After", "5")
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "unavailable",
                                "The database does not answer. Try again in a moment.")
                        .view(request.getRequestURI()));
    }

    @ExceptionHandler
    @Nullable ResponseEntity<ProblemView> anything(Exception e, HttpServletRequest request) throws Exception {
        if (e instanceof org.springframework.security.access.AccessDeniedException
                || e instanceof org.springframework.security.core.AuthenticationException) {
            throw e;
        }
        if (e instanceof ErrorResponse known) {
            return spring(known, request);
        }
        if (e instanceof java.io.IOException) {
            LOG.debug("{} {}: the connection broke", request.getMethod(), request.getRequestURI(), e);
            return null;
        }
        LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
        return answer(Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, "internal", "It has been logged."), request);
    }

    /** What Spring itself refuses: no such path, method or media type. */
    private static ResponseEntity<ProblemView> spring(ErrorResponse known, HttpServletRequest request) {
        HttpStatusCode code = known.getStatusCode();
        HttpStatus status = HttpStatus.valueOf(code.value());
        String slug = switch (status) {
            case NOT_FOUND -> "not-found";
            case METHOD_NOT_ALLOWED -> "method-not-allowed";
            case UNSUPPORTED_MEDIA_TYPE -> "unsupported-media-type";
            case NOT_ACCEPTABLE -> "not-acceptable";
            case PRECONDITION_REQUIRED -> "precondition-required";
            default -> "invalid";
        };
        String detail = switch (known) {
            case HttpMediaTypeNotSupportedException type -> typeWanted(type);
            default ->
                status == HttpStatus.NOT_FOUND
                        ? "There is nothing at this address."
                        : known.getBody().getDetail();
        };
        return ResponseEntity.status(status)
                .headers(known.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(status, slug, detail).view(request.getRequestURI()));
    }

    private static String typeWanted(HttpMediaTypeNotSupportedException e) {
        String sent = e.getContentType() == null
                ? "The request does not say of what type its body is"
                : "A body of type " + e.getContentType() + " is not understood here";
        return sent + "; send Content-Type: "
                + e.getSupportedMediaTypes().stream().map(MediaType::toString).collect(Collectors.joining(" or "))
                + ".";
    }

    private static ResponseEntity<ProblemView> answer(Problem problem, HttpServletRequest request) {
        var answer = ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        Duration wait = problem.retryAfter();
        if (wait != null) {
            answer.header("Retry-After", Long.toString(wait.toSeconds()));
        }
        return answer.body(problem.view(request.getRequestURI()));
    }

    private static String where(List<DocumentFault> faults) {
        DocumentFault first = faults.getFirst();
        String place = first.line() == null ? "" : "Line %d, column %d: ".formatted(first.line(), first.column());
        String field = first.field().isEmpty() ? "" : first.field() + ": ";
        return place + field + first.message();
    }

    private static String summary(List<DocumentFault> faults) {
        DocumentFault first = faults.getFirst();
        String more = faults.size() == 1 ? "" : " (and %d more)".formatted(faults.size() - 1);
        return first.field() + ": " + first.message() + more;
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
    }
}
