package io.muster.tenancy;

import io.muster.model.Refusal;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Gives and takes roles in teams. */
@Component
@Transactional
public class MemberEditor {
    private final Edits edits;

    MemberEditor(Edits edits) {
        this.edits = edits;
    }

    public Membership set(@Nullable UserId by, TeamId team, UserId user, Role role) {
        TenancyState state = edits.begin();
        Edits.openTeam(state, team);
        Person person = state.person(user).orElseThrow(() -> Refusal.notFound("user"));
        if (person.serviceOf() != null && !person.serviceOf().equals(team)) {
            throw Refusal.conflict("A service account works for its own team only.");
        }
        var key = new MembershipEntity.Key(team.value(), user.value());
        var found = edits.find(MembershipEntity.class, key);
        MembershipEntity row = found.orElseGet(() -> new MembershipEntity(key, role.name()));
        String before = found.isPresent() ? row.role : null;
        if (role.name().equals(before)) return new Membership(team, user, role, row.source);
        row.role = role.name();
        if (found.isEmpty()) edits.rows.persist(row);
        edits.done(by, "member.set", subject(team, user), shown(before), shown(role.name()));
        if (before != null) edits.revoked(user);
        return new Membership(team, user, role, row.source);
    }

    public void remove(@Nullable UserId by, TeamId team, UserId user) {
        edits.begin();
        MembershipEntity row = edits.find(MembershipEntity.class, new MembershipEntity.Key(team.value(), user.value()))
                .orElseThrow(() -> Refusal.notFound("member"));
        if (row.source.equals("GROUP")) {
            throw Refusal.conflict("This membership comes from the identity provider: change the group there.");
        }
        Object before = shown(row.role);
        edits.rows.remove(row);
        edits.done(by, "member.remove", subject(team, user), before, null);
        edits.revoked(user);
    }

    private static @Nullable Object shown(@Nullable String role) {
        return role == null ? null : Map.of("role", role);
    }

    private static String subject(TeamId team, UserId user) {
        return "member:" + team + "/" + user;
    }
}
