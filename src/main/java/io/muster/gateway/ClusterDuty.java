package io.muster.gateway;

/**
 * Says whether it is this server that watches the cluster and tells what it sees: of several servers one does, the one
 * that also gives the commands.
 */
@FunctionalInterface
public interface ClusterDuty {

    /** As the ledger has it at this moment. */
    boolean isOurs();
}
