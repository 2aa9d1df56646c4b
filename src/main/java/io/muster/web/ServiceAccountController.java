package io.muster.web;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.security.ApiTokens;
import io.muster.security.Caller;
import io.muster.security.TokenScope;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamBook;
import io.muster.web.view.TokenView;
import io.muster.web.view.UserView;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A team's principals for programs, and their tokens: the team's admins look after them. */
@RestController
@RequestMapping("/api/v1/teams/{id}/service-accounts")
class ServiceAccountController {
    private final TeamGate gate;
    private final TeamBook book;
    private final PrincipalEditor principals;
    private final ApiTokens tokens;
    private final UserViews users;
    private final TokenViews views;

    ServiceAccountController(
            TeamGate gate,
            TeamBook book,
            PrincipalEditor principals,
            ApiTokens tokens,
            UserViews users,
            TokenViews views) {
        this.gate = gate;
        this.book = book;
        this.principals = principals;
        this.tokens = tokens;
        this.users = users;
        this.views = views;
    }

    @GetMapping
    List<UserView> list(@PathVariable String id, Reader reader) {
        Team team = gate.inside(reader, id, Role.TEAM_ADMIN);
        return book.people().stream()
                .filter(p -> team.id().equals(p.serviceOf()))
                .map(users::of)
                .toList();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    UserView create(@PathVariable String id, @RequestBody UserView.CreateServiceAccount body, Reader reader) {
        Team team = gate.inside(reader, id, Role.TEAM_ADMIN);
        return users.of(principals.createServiceAccount(reader.user(), team.id(), body.name()));
    }

    @PostMapping("/{name}/disable")
    UserView disable(@PathVariable String id, @PathVariable String name, Reader reader) {
        return users.of(
                principals.disable(reader.user(), account(id, name, reader).id()));
    }

    @GetMapping("/{name}/tokens")
    List<TokenView> tokens(@PathVariable String id, @PathVariable String name, Reader reader) {
        return tokens.list(account(id, name, reader).id()).stream()
                .map(views::of)
                .toList();
    }

    @PostMapping("/{name}/tokens")
    @ResponseStatus(HttpStatus.CREATED)
    TokenView.Created createToken(
            @PathVariable String id, @PathVariable String name, @RequestBody TokenView.Create body, Caller caller) {
        Person account = account(id, name, caller.reader());
        SessionController.bySession(caller);
        TokenScope scope = TokenViews.scope(body.scope());
        if (body.team() != null) throw Refusal.invalid("team", "a service account has its own team only");
        return views.of(tokens.create(
                caller.reader().user(), account.id(), body.name(), scope, null, TokenViews.life(body.expiresIn())));
    }

    @DeleteMapping("/{name}/tokens/{token}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable String id, @PathVariable String name, @PathVariable String token, Reader reader) {
        tokens.revoke(reader.user(), account(id, name, reader).id(), TokenViews.id(token));
    }

    private Person account(String id, String name, Reader reader) {
        Team team = gate.inside(reader, id, Role.TEAM_ADMIN);
        Person person = gate.person(name);
        if (!team.id().equals(person.serviceOf())) throw Refusal.notFound("service account");
        return person;
    }
}
