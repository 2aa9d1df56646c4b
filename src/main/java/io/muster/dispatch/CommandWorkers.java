package io.muster.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.job.JobMoved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Takes commands out of the outbox and has them carried out, each load by a thread. One thread claims; it looks again when
 * a job moved, when a worker is done, and every now and then.
 */
@Component
class CommandWorkers implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(CommandWorkers.class);
    /** Stops before the loop, which gives up the epoch: what was claimed is still carried out. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 100;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    /** Commands come in swarms: those of one moment are claimed together. */
    private static final Duration GATHER = Duration.ofMillis(20);

    private static final Duration AFTER_ERROR = Duration.ofSeconds(2);
    private static final Duration FINISH_WITHIN = Duration.ofSeconds(10);

    private final CommandOutbox outbox;
    private final CommandLoads loads;
    private final int workers;
    private final Semaphore free;
    private final Semaphore news = new Semaphore(0);
    private final AtomicLong due = new AtomicLong();
    private volatile boolean running;
    private @Nullable Thread claimer;

    CommandWorkers(
            CommandOutbox outbox,
            CommandLoads loads,
            MeterRegistry meters,
            @Value("${muster.dispatch.workers:8}") int workers) {
        this.outbox = outbox;
        this.loads = loads;
        this.workers = workers;
        this.free = new Semaphore(workers);
        meters.gauge("muster.dispatch.due", due);
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(JobMoved moved) {
        wake();
    }

    void wake() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    @Override
    public void start() {
        running = true;
        claimer = thread("dispatch", this::claimUntilStopped);
    }

    /** Of the operating system's: virtual ones would stand in one line with all requests that are being served. */
    private static Thread thread(String name, Runnable task) {
        return Thread.ofPlatform().name(name).daemon().start(task);
    }

    private void claimUntilStopped() {
        while (running) {
            try {
                int claimed = claimOnce();
                if (claimed == 0) {
                    due.set(outbox.due());
                    await(LOOK_AGAIN);
                }
                Thread.sleep(GATHER);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.warn("Commands cannot be claimed now", e);
                pause();
            }
        }
    }

    /** Claims as much as there are free workers for; waits for one when there is none. */
    private int claimOnce() throws InterruptedException {
        if (!free.tryAcquire(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            return 1;
        }
        int slots = 1 + free.drainPermits();
        int used = 0;
        try {
            int most = loads.most();
            List<ClusterCommand> commands = outbox.claim(slots * most);
            for (List<ClusterCommand> load : loads(commands, most)) {
                thread("dispatch-" + load.getFirst().id(), () -> carryOut(load));
                used++;
            }
            return commands.size();
        } finally {
            free.release(slots - used);
        }
    }

    private static List<List<ClusterCommand>> loads(List<ClusterCommand> commands, int most) {
        var loads = new ArrayList<List<ClusterCommand>>();
        for (int i = 0; i < commands.size(); i += most) {
            loads.add(commands.subList(i, Math.min(commands.size(), i + most)));
        }
        return loads;
    }

    private void carryOut(List<ClusterCommand> load) {
        try {
            loads.run(load);
        } catch (RuntimeException e) {
            // The ledger itself is out of reach: the claim runs out and the commands are carried out again.
            LOG.warn(
                    "The outcome of {} commands, the first of {}, could not be kept",
                    load.size(),
                    load.getFirst().attempt(),
                    e);
        } finally {
            free.release();
            wake();
        }
    }

    private void await(Duration atMost) throws InterruptedException {
        if (news.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            news.drainPermits();
        }
    }

    private void pause() {
        try {
            Thread.sleep(AFTER_ERROR);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running = false;
        }
    }

    @Override
    public void stop() {
        running = false;
        wake();
        try {
            if (claimer != null) {
                claimer.join(FINISH_WITHIN);
            }
            if (!free.tryAcquire(workers, FINISH_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Commands are still under way; another server carries them out again");
            } else {
                free.release(workers);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
