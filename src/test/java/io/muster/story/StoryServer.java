package io.muster.story;

import io.muster.Muster;
import io.muster.support.Database;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole server in this JVM on a fresh database, with a virtual fleet on a scaled clock. */
final class StoryServer implements RunningServer, AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final Database database;
    private final StoryClient admin;

    private StoryServer(Database database, Map<String, Object> properties) {
        this.database = database;
        this.context = start(database, properties);
        this.admin = StoryClient.signIn(url(), ADMIN, PASSWORD);
    }

    /**
     * A server on a virtual fleet.
     *
     * @param fleet file under {@code scenarios/fleets}, without its ending
     * @param timeScale cluster seconds per second
     */
    static StoryServer onVirtual(String fleet, int timeScale) {
        return on(Map.of(
                "muster.virtual.fleet",
                "scenarios/fleets/" + fleet + ".yaml",
                "muster.virtual.time-scale",
                timeScale,
                "muster.virtual.poll",
                "50ms"));
    }

    /** A server with further properties, for example a Kubernetes cluster. */
    static StoryServer on(Map<String, Object> properties) {
        return new StoryServer(Database.fresh(), properties);
    }

    private static ConfigurableApplicationContext start(Database database, Map<String, Object> properties) {
        var all = new HashMap<>(database.properties());
        all.put("server.port", 0);
        all.put("muster.sample.enabled", false);
        all.put("muster.admin-password", PASSWORD);
        all.putAll(properties);
        var args = all.entrySet().stream()
                .map(e -> "--" + e.getKey() + "=" + e.getValue())
                .toArray(String[]::new);
        return new SpringApplicationBuilder(Muster.class).run(args);
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    @Override
    public StoryClient admin() {
        return admin;
    }

    @Override
    public Database database() {
        return database;
    }

    /** The bean of a type, for what has no REST: the failure of a virtual node. */
    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
