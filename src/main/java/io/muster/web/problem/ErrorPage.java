package io.muster.web.problem;

import io.muster.web.view.ProblemView;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the servlet container refuses before any controller, or after one has failed, is a problem as well. */
@RestController
class ErrorPage implements ErrorController {
    @RequestMapping("/error")
    ResponseEntity<ProblemView> problem(HttpServletRequest request) {
        HttpStatus status = status(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(status, slug(status), null).view(path == null ? "/error" : path.toString()));
    }

    /** Who asks for this page itself asks for nothing that there is. */
    private static HttpStatus status(@Nullable Object code) {
        HttpStatus known = code instanceof Integer number ? HttpStatus.resolve(number) : null;
        return known == null ? HttpStatus.NOT_FOUND : known;
    }

    private static String slug(HttpStatus status) {
        return status == HttpStatus.INTERNAL_SERVER_ERROR
                ? "internal"
                : status.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
