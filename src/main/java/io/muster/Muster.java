package io.muster;

import io.muster.database.EarlyDatabase;
import io.muster.security.AdminRecovery;
import io.muster.simulator.SimulateCommand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/** Starts the server. */
@SpringBootApplication
public class Muster {
    private static final Logger LOG = LoggerFactory.getLogger(Muster.class);

    public static void main(String[] args) {
        if (SimulateCommand.isAsked(args)) System.exit(SimulateCommand.run(System.out, System.err, args));
        if (AdminRecovery.isAsked(args)) System.exit(AdminRecovery.run(System.out, args));
        var application = new SpringApplication(Muster.class);
        application.addInitializers(new EarlyDatabase());
        application.run(args);
    }

    /** Before passwords are told, once. */
    @EventListener
    @Order(0)
    void tellWhereToGo(ApplicationReadyEvent ready) {
        var environment = ready.getApplicationContext().getEnvironment();
        var port = environment.getProperty("local.server.port");
        if (port != null) LOG.info("Muster is ready: {}", url(environment.getProperty("server.address", ""), port));
    }

    /** What a person can click: an address that means "all" is no place to go. */
    static String url(String address, String port) {
        var host = switch (address) {
            case "", "0.0.0.0", "::", "127.0.0.1" -> "localhost";
            default -> address.contains(":") ? "[" + address + "]" : address;
        };
        return "http://" + host + ":" + port;
    }
}
