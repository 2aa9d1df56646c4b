package io.muster.tenancy;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Brings teams, users, roles, quotas and volumes to a wanted state; what is so already is left alone. */
@Component
@Transactional
public class TenancyAdmin {
    private final CachedTenancy tenancy;
    private final TeamEditor teams;
    private final QuotaEditor quotas;
    private final MemberEditor members;
    private final SettingsEditor settings;
    private final PrincipalEditor principals;

    TenancyAdmin(
            CachedTenancy tenancy,
            TeamEditor teams,
            QuotaEditor quotas,
            MemberEditor members,
            SettingsEditor settings,
            PrincipalEditor principals) {
        this.tenancy = tenancy;
        this.teams = teams;
        this.quotas = quotas;
        this.members = members;
        this.settings = settings;
        this.principals = principals;
    }

    /** The team at the path; made, when it is not there, below the team above, which must be there. */
    public Team ensureTeam(@Nullable UserId by, TeamPath path, String displayName) {
        return tenancy.find(path).orElseGet(() -> create(by, path, displayName));
    }

    /** The user of that name; made without a password when there is none. */
    public Person ensureUser(@Nullable UserId by, String username, String displayName, boolean platformAdmin) {
        return tenancy.find(username).orElseGet(() -> principals.createUser(by, username, displayName, platformAdmin));
    }

    public void ensureMember(@Nullable UserId by, TeamId team, UserId user, Role role) {
        members.set(by, team, user, role);
    }

    /** Teams above first: children never promise more than their parent has. */
    public void ensureQuota(@Nullable UserId by, TeamQuota quota) {
        boolean there = tenancy.quota(quota.team(), quota.pool())
                .map(q -> q.quota().equals(quota))
                .orElse(false);
        if (!there) quotas.set(by, quota, null);
    }

    public void ensureDefaults(@Nullable UserId by, TeamId team, TeamDefaults defaults) {
        if (!tenancy.settings(team).own().equals(defaults)) settings.setDefaults(by, team, defaults, null);
    }

    public void ensureVolume(@Nullable UserId by, TeamVolume volume) {
        if (!tenancy.volumes(volume.team()).contains(volume)) settings.setVolume(by, volume);
    }

    private Team create(@Nullable UserId by, TeamPath path, String displayName) {
        String text = path.value();
        int slash = text.lastIndexOf('/');
        TeamId parent = slash < 0
                ? null
                : tenancy.find(new TeamPath(text.substring(0, slash)))
                        .orElseThrow(() -> new IllegalArgumentException("no team above " + path))
                        .id();
        return teams.create(by, parent, text.substring(slash + 1), displayName);
    }
}
