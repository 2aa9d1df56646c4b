package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user or a service account as admins see it. */
public record UserView(
        String id,
        String username,
        String displayName,
        String kind,
        boolean platformAdmin,
        boolean disabled,
        @Nullable String serviceOf,
        List<MeView.TeamRole> memberships) {

    public record Create(
            String username,
            String displayName,
            boolean platformAdmin,
            @Nullable String password) {}

    /** Shown once: the path of a one-time link by which the user sets a password. */
    public record Created(UserView user, @Nullable String oneTimeLink) {}

    public record CreateServiceAccount(String name) {}
}
