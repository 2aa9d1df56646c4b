package io.muster.web.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.muster.database.Sight;
import io.muster.job.EventTail;
import io.muster.job.EventTail.Position;
import io.muster.job.EventTail.Told;
import io.muster.web.jobs.EventViews;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows the events of all jobs once for this server and hands them to every listener. While nobody listens, nothing is
 * read.
 */
@Component
class LiveHub implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(LiveHub.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int BATCH = 500;
    private static final int MOST_MISSED = 2000;

    private final EventTail tail;
    private final Revisions revisions;
    private final EventViews views;
    private final LiveStreams streams;
    private final JsonMapper json;
    private final Counter dropped;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private @Nullable Position position;
    private boolean woken;
    private volatile boolean running;

    LiveHub(
            EventTail tail,
            Revisions revisions,
            EventViews views,
            LiveStreams streams,
            JsonMapper json,
            MeterRegistry meters) {
        this.tail = tail;
        this.revisions = revisions;
        this.views = views;
        this.streams = streams;
        this.json = json;
        this.dropped = Counter.builder("muster.live.dropped")
                .description("Events not sent to listeners that were too slow")
                .register(meters);
    }

    /** Writes events to a stream until it is closed; {@code last}: what the listener had, or null. */
    void follow(LiveStream stream, @Nullable String last) throws IOException, InterruptedException {
        Subscriber subscriber = new Subscriber(dropped);
        stream.onClose(subscriber::wake);
        Position joined = join(subscriber);
        try {
            stream.beat();
            Position from = SentId.parse(last);
            if (last != null && (from == null || !catchUp(stream, from, joined))) {
                stream.send("resync", null, java.util.Map.of());
            }
            while (stream.isOpen()) {
                subscriber.write(stream, LiveStreams.BEAT, from, LiveHub::tell);
            }
        } finally {
            leave(subscriber);
        }
    }

    /** There may be something new. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static void tell(LiveStream stream, Heard heard) throws IOException {
        String text = heard.forReader(stream.reader());
        if (text != null) {
            stream.send("job", SentId.of(heard.position()), text);
        }
    }

    /** Names are looked up and JSON is written once, however many listen. */
    private List<Heard> heard(List<Told> told) {
        try (var steady = Sight.steady()) {
            return told.stream()
                    .map(each -> new Heard(
                            each.position(),
                            each.event().team(),
                            json.writeValueAsString(views.whole(each.event())),
                            views.outside(each.event())
                                    .map(json::writeValueAsString)
                                    .orElse(null)))
                    .toList();
        }
    }

    /** Sends what a returning listener missed; false when that is too much. */
    private boolean catchUp(LiveStream stream, Position from, Position until) throws IOException, InterruptedException {
        Position at = from;
        for (int sent = 0; sent < MOST_MISSED && at.compareTo(until) < 0; ) {
            Position after = at;
            List<Heard> missed = streams.read(() -> heard(tail.after(after, BATCH)));
            if (missed.isEmpty()) {
                return true;
            }
            for (Heard each : missed) {
                if (each.position().compareTo(until) > 0) {
                    return true;
                }
                tell(stream, each);
            }
            at = missed.getLast().position();
            sent += missed.size();
        }
        return at.compareTo(until) >= 0;
    }

    private Position join(Subscriber subscriber) throws InterruptedException {
        Position end = streams.read(tail::end);
        lock.lock();
        try {
            if (position == null) {
                position = end;
            }
            subscribers.add(subscriber);
            wake.signalAll();
            return position;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Subscriber subscriber) {
        lock.lock();
        try {
            subscribers.remove(subscriber);
            if (subscribers.isEmpty()) {
                position = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (running) {
            try {
                awaitNews();
                pass();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (!running) {
                    return; // stopping interrupts whatever is being read
                }
                LOG.warn("Events could not be read; trying again", e);
                pause();
            }
        }
    }

    private void pass() {
        for (Position from = current(); from != null; ) {
            List<Told> news = tail.after(from, BATCH);
            from = news.size() < BATCH ? null : news.getLast().position();
            if (!news.isEmpty()) {
                hand(news);
            }
        }
        revisions.news().forEach((event, revision) -> handRevision(new Subscriber.Revision(event, revision)));
    }

    private void hand(List<Told> told) {
        List<Heard> news = heard(told);
        lock.lock();
        try {
            Position before = position;
            // All may have left and others joined since these were read: those begin further on.
            if (before != null && before.compareTo(told.getLast().position()) < 0) {
                news.stream()
                        .filter(each -> each.position().compareTo(before) > 0)
                        .forEach(each -> subscribers.forEach(s -> s.offer(each)));
                position = told.getLast().position();
            }
        } finally {
            lock.unlock();
        }
    }

    private void handRevision(Subscriber.Revision revision) {
        lock.lock();
        try {
            subscribers.forEach(s -> s.offer(revision));
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Position current() {
        lock.lock();
        try {
            return position;
        } finally {
            lock.unlock();
        }
    }

    private void awaitNews() throws InterruptedException {
        lock.lock();
        try {
            long left = LOOK.toNanos();
            while (running && subscribers.isEmpty()) {
                wake.await(1, TimeUnit.SECONDS);
            }
            while (running && !woken && left > 0) {
                left = wake.awaitNanos(left);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        running = true;
        Thread.ofVirtual().name("live-hub").start(this::run);
    }

    @Override
    public void stop() {
        running = false;
        wake();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
