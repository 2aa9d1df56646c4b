package io.muster.web.problem;

import io.muster.web.view.ProblemView;
import io.muster.web.view.ReasonView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** A request that is answered with a problem; thrown where a controller finds it out. */
public final class Problem extends RuntimeException {
    public static final String TYPES = "https://muster.dev/problems/";

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String slug;
    private final @Nullable String detail;
    private final transient List<ProblemView.FieldError> errors;
    private final transient List<ReasonView> reasons;
    private @Nullable Duration retryAfter;

    private Problem(
            HttpStatus status,
            String slug,
            @Nullable String detail,
            List<ProblemView.FieldError> errors,
            List<ReasonView> reasons) {
        super(slug + ": " + detail, null, false, false);
        this.status = status;
        this.slug = slug;
        this.detail = detail;
        this.errors = List.copyOf(errors);
        this.reasons = List.copyOf(reasons);
    }

    /** @param slug the stable last part of its type */
    public static Problem of(HttpStatus status, String slug, @Nullable String detail) {
        return new Problem(status, slug, detail, List.of(), List.of());
    }

    public static Problem notFound(String what) {
        return of(HttpStatus.NOT_FOUND, "not-found", "There is no such " + what + ".");
    }

    /** A parameter or field of the request that is not valid. */
    public static Problem invalid(String field, String message) {
        return of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid", field + " " + message)
                .at(field, "invalid-value", message);
    }

    /** The same with one more field at fault. */
    public Problem at(String field, String code, String message) {
        return at(new ProblemView.FieldError(field, code, message, null, null));
    }

    public Problem at(ProblemView.FieldError error) {
        List<ProblemView.FieldError> more = new ArrayList<>(errors);
        more.add(error);
        return new Problem(status, slug, detail, more, reasons);
    }

    public Problem because(List<ReasonView> more) {
        return new Problem(status, slug, detail, errors, more);
    }

    /** The same, and when to try again. */
    public Problem retryAfter(Duration wait) {
        Problem later = new Problem(status, slug, detail, errors, reasons);
        later.retryAfter = wait;
        return later;
    }

    @Nullable Duration retryAfter() {
        return retryAfter;
    }

    String slug() {
        return slug;
    }

    public HttpStatus status() {
        return status;
    }

    public ProblemView view(@Nullable String instance) {
        return new ProblemView(
                TYPES + slug, Titles.of(slug, status), status.value(), detail, instance, errors, reasons);
    }
}
