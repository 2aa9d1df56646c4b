package io.muster.story;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Posts documents on connections that it keeps, and looks at nothing but the status: a client on the machine that is
 * measured must not take its time.
 */
final class BareClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final URI server;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    BareClient(String url) {
        this.server = URI.create(url);
    }

    /** A whole request, ready to be sent again and again. */
    static byte[] request(String path, String token, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        var head = "POST " + path + " HTTP/1.1\r\nHost: muster\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        byte[] whole = new byte[head.length() + body.length];
        System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, whole, 0, head.length());
        System.arraycopy(body, 0, whole, head.length(), body.length);
        return whole;
    }

    /** @return the status of the answer */
    int send(byte[] request) throws IOException {
        var kept = idle.pollFirst();
        var connection = kept == null ? new Connection(server) : kept;
        try {
            int status = connection.send(request);
            if (connection.stays) {
                idle.addFirst(connection);
            } else {
                connection.close();
            }
            return status;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Closes what it keeps; what is sent then goes on new ones. */
    @Override
    public void close() {
        for (var kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            kept.close();
        }
    }

    private static final class Connection {
        private final Socket socket;
        private final InputStream in;
        /** Servers close each after a while. */
        private boolean stays = true;

        Connection(URI server) throws IOException {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
        }

        int send(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            int status = Integer.parseInt(line().split(" ")[1]);
            long length = 0;
            boolean chunked = false;
            for (String header = line(); !header.isEmpty(); header = line()) {
                var lower = header.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Long.parseLong(lower.substring(15).strip());
                }
                chunked |= lower.startsWith("transfer-encoding:");
                stays &= !lower.startsWith("connection: close");
            }
            if (chunked) {
                for (long chunk = chunk(); chunk > 0; chunk = chunk()) {
                    in.skipNBytes(chunk + 2);
                }
                line();
            } else {
                in.skipNBytes(length);
            }
            return status;
        }

        private long chunk() throws IOException {
            return Long.parseLong(line(), 16);
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException("the server closed the connection");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more.
            }
        }
    }
}
