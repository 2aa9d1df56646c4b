package io.muster.simulation;

import io.muster.model.NodeId;
import java.time.Duration;

/** Container images of a cluster that pulls none. */
public final class Images {
    /** How long an image that a node has takes. */
    public static final Duration CACHED = Duration.ofMillis(100);

    /** From the first try to the pod's saying that it backs off. */
    static final Duration GIVES_UP_AFTER = Duration.ofSeconds(2);

    private static final Duration QUICKEST = Duration.ofSeconds(4);
    private static final Duration SLOWEST = Duration.ofSeconds(15);

    private Images() {}

    /** How long a node takes to pull an image that it does not have. */
    public static Duration firstPull(long seed, NodeId node, String image) {
        return new Dice(seed).salted(image).salted(node.value()).between(QUICKEST, SLOWEST);
    }

    /** True for a registry under {@code .invalid}, a name that is never given to anyone (RFC 6761). */
    static boolean cannotExist(String image) {
        int slash = image.indexOf('/');
        String host = slash < 0 ? "" : image.substring(0, slash).replaceFirst(":\\d+$", "");
        return host.equals("invalid") || host.endsWith(".invalid");
    }
}
