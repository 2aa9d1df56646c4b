package io.muster.web;

import io.muster.model.Refusal;
import io.muster.security.Caller;
import io.muster.security.OneTimeLinks;
import io.muster.security.SignIn;
import io.muster.web.view.MeView;
import io.muster.web.view.ProblemView;
import io.muster.web.view.SessionBodies;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Sign-in, sign-out and one's own password. */
@RestController
@RequestMapping("/api/v1")
class SessionController {
    private final SignIn signIn;
    private final OneTimeLinks links;
    private final MeViews views;

    SessionController(SignIn signIn, OneTimeLinks links, MeViews views) {
        this.signIn = signIn;
        this.links = links;
        this.views = views;
    }

    @PostMapping("/session")
    ResponseEntity<?> begin(@RequestBody SessionBodies.SignIn body, HttpServletRequest request) {
        return switch (signIn.signIn(request, body.username(), body.password())) {
            case SignIn.Outcome.SignedIn(Caller caller) -> ResponseEntity.ok(views.of(caller));
            case SignIn.Outcome.Wrong() ->
                problem(HttpStatus.UNAUTHORIZED, "wrong-credentials", "The name or the password is wrong.")
                        .build();
            case SignIn.Outcome.Blocked(var after) ->
                problem(HttpStatus.TOO_MANY_REQUESTS, "too-many-attempts", "Too many attempts: wait a little.")
                        .retryAfter(after.toSeconds())
                        .build();
        };
    }

    @DeleteMapping("/session")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void end(Caller caller, HttpServletRequest request) {
        bySession(caller);
        signIn.signOut(request, caller.reader().user());
    }

    @GetMapping("/me")
    MeView me(Caller caller) {
        return views.of(caller);
    }

    @PutMapping("/me/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(@RequestBody SessionBodies.ChangePassword body, Caller caller, HttpServletRequest request) {
        bySession(caller);
        signIn.changePassword(request, caller, body.current(), body.next());
    }

    @PostMapping("/one-time-links/{secret}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void useLink(@PathVariable String secret, @RequestBody SessionBodies.NewPassword body) {
        links.use(secret, body.password());
    }

    static void bySession(Caller caller) {
        if (caller.session() == null) throw Refusal.notAllowed("Only a browser's session may do this, no token.");
    }

    private static Answer problem(HttpStatus status, String slug, String detail) {
        return new Answer(
                status,
                new ProblemView(
                        "https://muster.dev/problems/" + slug,
                        status.getReasonPhrase(),
                        status.value(),
                        detail,
                        null,
                        List.of(),
                        List.of()),
                new HttpHeaders());
    }

    private record Answer(HttpStatus status, ProblemView problem, HttpHeaders headers) {
        Answer retryAfter(long seconds) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
            return this;
        }

        ResponseEntity<ProblemView> build() {
            headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
            return new ResponseEntity<>(problem, headers, status);
        }
    }
}
