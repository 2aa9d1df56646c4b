package io.muster.story;

import java.util.Map;

/**
 * A server, a cluster behind it, and a lab to tell a story in.
 *
 * @param lab with one pool over all nodes
 */
record World(Lab lab, AutoCloseable server) implements AutoCloseable {
    /** Cluster seconds per second, of stories whose time is scaled. */
    static final int PACE = 30;

    /** On the virtual fleet {@code scenarios/fleets/gpus-<gpus>.yaml}, on a scaled clock. */
    static World virtual(int gpus, int pace) {
        var server = StoryServer.on(Map.of(
                "muster.virtual.fleet",
                "scenarios/fleets/gpus-" + gpus + ".yaml",
                "muster.virtual.time-scale",
                pace,
                "muster.virtual.poll",
                "50ms"));
        return new World(Fleets.pool(new Lab(server)), server);
    }

    static World virtual(int gpus) {
        return virtual(gpus, PACE);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
