package io.muster.story;

import io.muster.support.Database;

/** The domain clock while no server runs. */
final class Domain {
    private Domain() {}

    /** It stands (all but) still until a server with another scale starts, and goes on from there. */
    static void stop(Database database) {
        database.jdbc().sql("""
                        update domain_clock set scale = 0.000001, real_at = clock_timestamp(), domain_at = domain_at
                            + extract(epoch from clock_timestamp() - real_at) * scale * interval '1 second'""").update();
    }
}
