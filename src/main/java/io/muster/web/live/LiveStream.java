package io.muster.web.live;

import io.muster.security.Caller;
import io.muster.tenancy.Reader;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** One open stream; written by one thread of its own. */
public final class LiveStream {
    private volatile Caller caller;
    private final SseEmitter emitter;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile Runnable onClose = () -> {};

    LiveStream(Caller caller, SseEmitter emitter) {
        this.caller = caller;
        this.emitter = emitter;
    }

    Caller caller() {
        return caller;
    }

    /** What the listener may see now: it may have changed since the stream was opened. */
    public Reader reader() {
        return caller.reader();
    }

    /** From now on the listener sees what {@code now} may. */
    void become(Caller now) {
        caller = now;
    }

    public boolean isOpen() {
        return open.get();
    }

    /** @param id what the listener sends as Last-Event-ID when it comes back, or null */
    public void send(String event, @Nullable String id, Object data) throws IOException {
        SseEmitter.SseEventBuilder builder = SseEmitter.event().name(event).data(data, MediaType.APPLICATION_JSON);
        emitter.send(id == null ? builder : builder.id(id));
    }

    /** Shows proxies and the browser that the line is alive, and us whether anybody is there. */
    public void beat() throws IOException {
        emitter.send(SseEmitter.event().comment("alive"));
    }

    /** @param wake gets the writer out of what it waits for; no interrupt, which would break the database's connection */
    public void onClose(Runnable wake) {
        onClose = wake;
        if (!isOpen()) {
            wake.run();
        }
    }

    void close() {
        if (open.compareAndSet(true, false)) {
            onClose.run();
            // Whoever writes to a line that nobody reads may hold the emitter for a while: nobody else waits for that.
            Thread.ofVirtual().name("live-end").start(emitter::complete);
        }
    }
}
