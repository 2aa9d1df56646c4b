package io.muster.web;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.security.ApiTokens;
import io.muster.security.Caller;
import io.muster.tenancy.Reader;
import io.muster.web.view.TokenView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** One's own API tokens; a token cannot make another. */
@RestController
@RequestMapping("/api/v1/tokens")
class TokenController {
    private final ApiTokens tokens;
    private final TeamGate gate;
    private final TokenViews views;

    TokenController(ApiTokens tokens, TeamGate gate, TokenViews views) {
        this.tokens = tokens;
        this.gate = gate;
        this.views = views;
    }

    @GetMapping
    List<TokenView> list(Caller caller) {
        SessionController.bySession(caller);
        return tokens.list(caller.reader().user()).stream().map(views::of).toList();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    TokenView.Created create(@RequestBody TokenView.Create body, Caller caller) {
        SessionController.bySession(caller);
        Reader reader = caller.reader();
        return views.of(tokens.create(
                reader.user(),
                reader.user(),
                body.name(),
                TokenViews.scope(body.scope()),
                team(body.team(), reader),
                TokenViews.life(body.expiresIn())));
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable String id, Caller caller) {
        SessionController.bySession(caller);
        tokens.revoke(caller.reader().user(), caller.reader().user(), TokenViews.id(id));
    }

    private @Nullable TeamId team(@Nullable String path, Reader reader) {
        if (path == null || path.isEmpty()) return null;
        TeamId team = gate.team("team", path).id();
        if (!reader.may(team, Role.VIEWER)) throw Refusal.invalid("team", "There is no team " + path + ".");
        return team;
    }
}
