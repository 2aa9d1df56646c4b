package io.muster.dispatch;

/** {@code muster.cluster.type} names no kind of cluster. */
public final class ClusterTypeException extends RuntimeException {
    ClusterTypeException(String value) {
        super("muster.cluster.type is '" + value + "', which is no kind of cluster");
    }
}
