package io.muster.kubernetes.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The wire between a client and an API server, which a test can cut, or make silent without either side noticing. */
public final class Wire implements AutoCloseable {

    private enum State {
        SOUND,
        /** Connections break, and new ones are refused at once. */
        CUT,
        /** What the client says arrives; no answer comes back. */
        NO_ANSWERS
    }

    private final ServerSocket socket;
    private final InetSocketAddress target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> deaf = ConcurrentHashMap.newKeySet();
    private volatile State state = State.SOUND;

    public Wire(String host, int port) throws IOException {
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = new InetSocketAddress(host, port);
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public void cut() {
        state = State.CUT;
        breakAll();
    }

    /** Nothing that is said from the other side arrives any more, on connections that are open and on new ones. */
    public void noAnswers() {
        state = State.NO_ANSWERS;
    }

    /** Connections that are open now stay so, but nothing comes back on them any more; new ones are sound. */
    public void deafen() {
        deaf.addAll(open);
    }

    /** As before; connections that have missed something are broken. */
    public void mend() {
        breakAll();
        state = State.SOUND;
    }

    private void breakAll() {
        open.forEach(Wire::closeQuietly);
        open.clear();
        deaf.clear();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                var client = socket.accept();
                if (state == State.CUT) {
                    closeQuietly(client);
                } else {
                    connect(client);
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) throws IOException {
        var server = new Socket();
        open.add(client);
        open.add(server);
        server.connect(target);
        Thread.ofVirtual().start(() -> pump(client, server, false));
        Thread.ofVirtual().start(() -> pump(server, client, true));
    }

    private void pump(Socket from, Socket to, boolean answers) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            var buffer = new byte[16 * 1024];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!answers || (state != State.NO_ANSWERS && !deaf.contains(to))) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException broken) {
            // The other direction ends with it.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        breakAll();
    }
}
