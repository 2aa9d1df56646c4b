package io.muster.dispatch;

import java.util.OptionalLong;

/** Says whether this server is the one that may tell the cluster what to do. */
public interface DispatchFence {

    /**
     * The epoch under which this server leads, checked against the ledger in the caller's transaction and held until its
     * end; empty when another server leads, or none.
     */
    OptionalLong epoch();

    /** The same, for those who change nothing themselves: as the ledger has it now, held for no time. */
    boolean isOurs();
}
