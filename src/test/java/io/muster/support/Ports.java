package io.muster.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for processes that a test starts. */
public final class Ports {
    private static final int FROM = 20_000;

    /** Below those that the system gives to whoever connects: while a server is down, nobody else takes its port. */
    private static final int TO = 32_000;

    private Ports() {}

    /** A port of the loopback address that nobody listens on now. */
    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // Then another.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
