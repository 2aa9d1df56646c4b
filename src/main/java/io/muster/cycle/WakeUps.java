package io.muster.cycle;

import io.muster.dispatch.NodesChanged;
import io.muster.job.JobMoved;
import io.muster.job.JobSubmitted;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/** What brings the next cycle forward. Many wishes before a cycle are one. */
@Component
class WakeUps {
    private final Semaphore wished = new Semaphore(0);

    void wake() {
        if (wished.availablePermits() == 0) {
            wished.release();
        }
    }

    /** Waits for a wish, at most so long. */
    void await(Duration atMost) throws InterruptedException {
        if (wished.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            wished.drainPermits();
        }
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(JobMoved moved) {
        wake();
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(JobSubmitted submitted) {
        wake();
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(NodesChanged changed) {
        wake();
    }
}
