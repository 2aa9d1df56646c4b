package io.muster.story;

import io.muster.support.Database;

/** A server that stories talk to, and the database behind it, in which they check the ledger. */
interface RunningServer {
    String ADMIN = "admin";
    String PASSWORD = "a-password-for-stories";

    String url();

    Database database();

    default Ledger ledger() {
        return new Ledger(database());
    }

    /** The first platform admin, signed in. */
    StoryClient admin();
}
