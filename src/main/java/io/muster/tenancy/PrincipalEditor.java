package io.muster.tenancy;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Makes, disables and enables users and service accounts. */
@Component
@Transactional
public class PrincipalEditor {
    private final Edits edits;
    private final MemberEditor members;

    PrincipalEditor(Edits edits, MemberEditor members) {
        this.edits = edits;
        this.members = members;
    }

    public Person createUser(@Nullable UserId by, String username, String displayName, boolean platformAdmin) {
        TenancyState state = edits.begin();
        free(state, "username", username);
        var row = new PrincipalEntity(UUID.randomUUID(), username, Names.display("displayName", displayName), null);
        row.platformAdmin = platformAdmin;
        edits.rows.persist(row);
        edits.done(
                by,
                "user.create",
                subject(row.person()),
                null,
                Map.of("username", username, "platformAdmin", platformAdmin));
        return row.person();
    }

    /** A principal for programs, member of its team. It has no password: it signs in by token only. */
    public Person createServiceAccount(@Nullable UserId by, TeamId team, String name) {
        TenancyState state = edits.begin();
        Edits.openTeam(state, team);
        free(state, "name", name);
        var row = new PrincipalEntity(UUID.randomUUID(), name, name, team.value());
        edits.rows.persist(row);
        edits.done(
                by, "service-account.create", subject(row.person()), null, Map.of("name", name, "team", team.value()));
        members.set(by, team, row.person().id(), Role.MEMBER);
        return row.person();
    }

    public Person disable(@Nullable UserId by, UserId user) {
        TenancyState state = edits.begin();
        PrincipalEntity row = row(user);
        if (row.disabledAt != null) return row.person();
        if (row.platformAdmin && admins(state) <= 1) {
            throw Refusal.conflict("This is the last platform admin who can sign in.");
        }
        row.disabledAt = Instant.now();
        edits.done(by, "user.disable", subject(row.person()), Map.of("disabled", false), Map.of("disabled", true));
        edits.revoked(user);
        return row.person();
    }

    public Person enable(@Nullable UserId by, UserId user) {
        edits.begin();
        PrincipalEntity row = row(user);
        if (row.disabledAt == null) return row.person();
        row.disabledAt = null;
        edits.done(by, "user.enable", subject(row.person()), Map.of("disabled", true), Map.of("disabled", false));
        return row.person();
    }

    private static void free(TenancyState state, String field, String username) {
        Names.username(field, username);
        if (state.person(username).isPresent()) {
            throw Refusal.conflict(field, "The name " + username + " is taken.");
        }
    }

    private static long admins(TenancyState state) {
        return state.people().stream()
                .filter(p -> p.platformAdmin() && !p.disabled())
                .count();
    }

    private PrincipalEntity row(UserId user) {
        return edits.find(PrincipalEntity.class, user.value()).orElseThrow(() -> Refusal.notFound("user"));
    }

    private static String subject(Person person) {
        return "user:" + person.id();
    }
}
