package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A team.
 *
 * @param role the reader's effective role, null: none
 * @param ordinal its place among all teams ever made, oldest first, from 0: it never changes
 */
public record TeamView(
        String id,
        @Nullable String parentId,
        String name,
        String path,
        String displayName,
        boolean archived,
        @Nullable String role,
        int members,
        List<QuotaView> quotas,
        int ordinal,
        long version) {

    /** {@code warning}: what the quota promises and the machines cannot keep, null: nothing. */
    public record QuotaView(
            String pool,
            int guaranteed,
            @Nullable Integer limit,
            @Nullable Integer lendable,
            int weight,
            List<ShapeView> shapes,
            long version,
            @Nullable String warning) {}

    /** A part of the guarantee that comes in whole domains: {@code count} times so many GPUs of one {@code level}. */
    public record ShapeView(int count, String level, int gpus) {}

    /**
     * Effective quota change: {@code PUT /teams/{id}/quotas/{pool}} with If-Match (0 where none exists yet).
     *
     * @param shapes null: none
     */
    public record QuotaBody(
            int guaranteed,
            @Nullable Integer limit,
            @Nullable Integer lendable,
            int weight,
            @Nullable List<ShapeView> shapes) {}

    public record MemberView(String username, String displayName, String role, String source) {}

    public record MemberBody(String role) {}

    public record RenameTeam(String displayName) {}

    public record CreateTeam(@Nullable String parent, String name, String displayName) {}
}
