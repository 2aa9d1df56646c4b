package io.muster.web;

import io.muster.model.Refusal;
import io.muster.security.OneTimeLinks;
import io.muster.security.SignIn;
import io.muster.tenancy.Person;
import io.muster.tenancy.PrincipalEditor;
import io.muster.tenancy.Reader;
import io.muster.tenancy.TeamBook;
import io.muster.web.view.Page;
import io.muster.web.view.UserView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users, for platform admins. */
@RestController
@RequestMapping("/api/v1/users")
class UserController {
    private final TeamGate gate;
    private final TeamBook book;
    private final PrincipalEditor principals;
    private final SignIn signIn;
    private final OneTimeLinks links;
    private final UserViews views;

    UserController(
            TeamGate gate,
            TeamBook book,
            PrincipalEditor principals,
            SignIn signIn,
            OneTimeLinks links,
            UserViews views) {
        this.gate = gate;
        this.book = book;
        this.principals = principals;
        this.signIn = signIn;
        this.links = links;
        this.views = views;
    }

    @GetMapping
    Page<UserView> list(
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable Integer limit,
            Reader reader) {
        TeamGate.platformAdmin(reader);
        Page<Person> page = NamedPages.of(book.people(), Person::username, cursor, limit);
        return new Page<>(page.items().stream().map(views::of).toList(), page.next());
    }

    /** Without a password the answer has a one-time link to send to the user. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    UserView.Created create(@RequestBody UserView.Create body, Reader reader) {
        TeamGate.platformAdmin(reader);
        String password = body.password();
        if (password != null) SignIn.check("password", password, body.username());
        Person person = principals.createUser(reader.user(), body.username(), body.displayName(), body.platformAdmin());
        if (password == null) return new UserView.Created(views.of(person), links.make(reader.user(), person));
        signIn.givePassword(reader.user(), person, password);
        return new UserView.Created(views.of(person), null);
    }

    @PostMapping("/{name}/disable")
    UserView disable(@PathVariable String name, Reader reader) {
        TeamGate.platformAdmin(reader);
        Person person = gate.person(name);
        if (person.id().equals(reader.user())) throw Refusal.conflict("You cannot disable yourself.");
        Person disabled = principals.disable(reader.user(), person.id());
        signIn.endSessions(person.id());
        return views.of(disabled);
    }

    @PostMapping("/{name}/enable")
    UserView enable(@PathVariable String name, Reader reader) {
        TeamGate.platformAdmin(reader);
        return views.of(principals.enable(reader.user(), gate.person(name).id()));
    }

    @PostMapping("/{name}/one-time-link")
    UserView.Created link(@PathVariable String name, Reader reader) {
        TeamGate.platformAdmin(reader);
        Person person = gate.person(name);
        return new UserView.Created(views.of(person), links.make(reader.user(), person));
    }
}
