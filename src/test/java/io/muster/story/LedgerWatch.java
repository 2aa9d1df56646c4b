package io.muster.story;

import io.muster.support.Database;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Looks at the ledger twice a second from a thread of its own, whatever else goes on. */
final class LedgerWatch implements AutoCloseable {
    private static final int LOOK_MILLIS = 500;

    private final Ledger ledger;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final Thread thread;
    private final AtomicLong looks = new AtomicLong();

    LedgerWatch(Database database) {
        this.ledger = new Ledger(database);
        this.thread = Thread.ofPlatform().name("ledger-watch").daemon().start(this::look);
    }

    private void look() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                ledger.holds();
                looks.incrementAndGet();
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | AssertionError e) {
                broken.compareAndSet(null, e);
                return;
            }
        }
    }

    /** Fails when the ledger was ever wrong, or was never looked at. */
    void held() {
        var failure = broken.get();
        if (failure != null) {
            throw new AssertionError("the ledger broke while the server ran", failure);
        }
        if (looks.get() == 0) {
            throw new AssertionError("nobody has looked at the ledger");
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
