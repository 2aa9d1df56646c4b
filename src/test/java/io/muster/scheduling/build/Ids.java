package io.muster.scheduling.build;

import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Ids made from names. */
public final class Ids {
    private Ids() {}

    public static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public static TeamId team(String path) {
        return new TeamId(uuid("team " + path));
    }

    public static UserId user(String name) {
        return new UserId(uuid("user " + name));
    }
}
