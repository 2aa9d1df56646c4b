package io.muster.security;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.tenancy.Reader;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a token reaches, within what its owner may do. */
public enum TokenScope {
    /** Reads what the owner may read, and asks what would happen. */
    READ,
    /** Reads, submits jobs and acts on the owner's own. */
    SUBMIT,
    /** All that the owner may do, but for passwords and tokens. */
    ADMIN;

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
    private static final String JOBS = "/api/v1/jobs";

    /** Whether a request of this kind is within the scope. */
    boolean allows(String method, String path) {
        if (SAFE.contains(method) || path.equals(JOBS + "/preview")) return true;
        return switch (this) {
            case READ -> false;
            case SUBMIT -> path.equals(JOBS) || path.startsWith(JOBS + "/");
            case ADMIN -> true;
        };
    }

    /** @param teams the token's team and those below it, or null: every team of the owner */
    Reader narrow(Reader owner, @Nullable Set<TeamId> teams) {
        Map<TeamId, Role> roles = new HashMap<>();
        owner.roles().forEach((team, role) -> {
            if (teams == null || teams.contains(team)) roles.put(team, this == SUBMIT ? atMostMember(role) : role);
        });
        boolean platformAdmin = owner.platformAdmin() && teams == null && this != SUBMIT;
        return new Reader(owner.user(), owner.username(), platformAdmin, roles);
    }

    private static Role atMostMember(Role role) {
        return role.atLeast(Role.MEMBER) ? Role.MEMBER : role;
    }
}
