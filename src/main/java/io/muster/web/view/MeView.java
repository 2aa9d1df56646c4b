package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in.
 *
 * @param mustChangePassword nothing else works until the password is changed
 * @param teams teams in which the reader has a role, inner teams included, by path
 * @param clusterNow the domain clock now (scaled on a virtual cluster), against which all times are to be shown
 */
public record MeView(
        String id,
        String username,
        String displayName,
        boolean platformAdmin,
        boolean mustChangePassword,
        List<TeamRole> teams,
        @Nullable String cluster,
        java.time.Instant clusterNow,
        double timeScale) {
    public record TeamRole(String id, String path, String role) {}
}
