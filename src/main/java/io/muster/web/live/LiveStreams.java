package io.muster.web.live;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.model.UserId;
import io.muster.security.Caller;
import io.muster.tenancy.AccessRevoked;
import io.muster.web.problem.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** All open streams of this server: bounded in number and in life, closed when their listener may no longer listen. */
@Component
public class LiveStreams implements SmartLifecycle {
    public static final Duration BEAT = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);
    private static final int MOST = 4000;
    private static final int MOST_PER_USER = 64;
    /** Whoever listens on, connects again, and is looked at anew. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final int MOST_READERS = 4;

    private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
    private final Semaphore readers = new Semaphore(MOST_READERS, true);
    private volatile boolean running;

    LiveStreams(MeterRegistry meters) {
        meters.gaugeCollectionSize("muster.live.streams", List.of(), streams);
    }

    /** What is written to a stream, until it ends by itself or the stream is closed. */
    public interface Body {
        void run(LiveStream stream) throws IOException, InterruptedException;
    }

    /** Opens a stream, written by a virtual thread of its own. */
    public SseEmitter open(Caller caller, Body body) {
        refuseTooMany(caller.reader().user());
        SseEmitter emitter = new SseEmitter(LONGEST.toMillis());
        LiveStream stream = new LiveStream(caller, emitter);
        streams.add(stream);
        emitter.onCompletion(() -> end(stream));
        emitter.onTimeout(() -> end(stream));
        emitter.onError(e -> end(stream));
        Thread.ofVirtual().name("live-", streams.size()).start(() -> write(stream, body));
        return emitter;
    }

    /**
     * Reads for a stream. However many streams there are, few read at once, so that requests still find a connection and
     * what is read and not yet sent stays small.
     */
    public <T> T read(Supplier<T> read) throws InterruptedException {
        readers.acquire();
        try {
            return read.get();
        } finally {
            readers.release();
        }
    }

    List<LiveStream> open() {
        return List.copyOf(streams);
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(AccessRevoked revoked) {
        streams.stream()
                .filter(s -> s.caller().reader().user().equals(revoked.user()))
                .filter(s -> revoked.session() == null
                        || revoked.session().equals(s.caller().session()))
                .forEach(LiveStream::close);
    }

    private void write(LiveStream stream, Body body) {
        try {
            body.run(stream);
        } catch (IOException | IllegalStateException e) {
            LOG.debug("A listener went away: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("A stream broke", e);
        } finally {
            end(stream);
        }
    }

    private void end(LiveStream stream) {
        streams.remove(stream);
        stream.close();
    }

    private void refuseTooMany(UserId user) {
        long own = streams.stream()
                .filter(s -> s.caller().reader().user().equals(user))
                .count();
        if (streams.size() >= MOST || own >= MOST_PER_USER) {
            throw Problem.of(HttpStatus.TOO_MANY_REQUESTS, "too-many-streams", "Close other windows first.")
                    .retryAfter(Duration.ofSeconds(30));
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        streams.forEach(LiveStream::close);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the web server waits for its requests to end. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
