package io.muster.sample;

import io.muster.sample.Demo.PoolWork;
import io.muster.sample.JobDesk.Queue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps the sample teams at work: fills an idle fleet at once, then submits as much as keeps a few gangs waiting, and
 * now and then something urgent. It looks at the queue and never lets it grow beyond what makes it interesting.
 */
final class SampleWorkload implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(SampleWorkload.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int NODE = 8;
    private static final int MOST_GANG_GPUS = 64;
    private static final int JOBS_AT_ONCE = 2;
    private static final int SELDOM = 3;
    private static final int NUMBERS_PER_TICK = 64;

    private final JobDesk desk;
    private final JobMix mix;
    private final Demo.Workload workload;
    private final Clock clock;
    private @Nullable ScheduledThreadPoolExecutor thread;
    private long lastNumber;
    private long lastUrgent;

    SampleWorkload(JobDesk desk, Demo demo, Clock clock) {
        this.desk = desk;
        this.mix = new JobMix(demo);
        this.workload = demo.workload();
        this.clock = clock;
        this.lastUrgent = slot(clock.instant());
    }

    /** One look at the queue. Never throws: a job that was refused is not missed. */
    void tick() {
        try {
            if (!desk.open()) {
                return;
            }
            Instant now = clock.instant();
            submitUrgent(now);
            // Numbers come from the time, so that none is used twice, also after a restart.
            lastNumber = Math.max(lastNumber + 1, now.getEpochSecond() * NUMBERS_PER_TICK);
            Map<String, Queue> queues = desk.queues();
            workload.pools().forEach(pool -> feed(pool, queues.getOrDefault(pool.pool(), Queue.EMPTY), now));
        } catch (RuntimeException e) {
            LOG.debug("the sample workload skipped a beat", e);
        }
    }

    private void feed(PoolWork pool, Queue queue, Instant now) {
        int jobs = wanted(pool, queue, now);
        boolean gangs = queue.gpus() - pressure(queue) < MOST_GANG_GPUS;
        for (int i = 0; i < jobs; i++) {
            submit(mix.job(lastNumber++, pool.pool(), gangs ? pool.largest() : NODE));
        }
    }

    private int wanted(PoolWork pool, Queue queue, Instant now) {
        if (queue.jobs() == 0 && !desk.busy(pool.pool())) {
            return pool.firstJobs();
        }
        long pressure = pressure(queue);
        if (pressure < pool.few()) {
            return JOBS_AT_ONCE;
        }
        return pressure < pool.many() && now.getEpochSecond() % SELDOM == 0 ? 1 : 0;
    }

    /** GPUs waited for, where no job counts for more than a node. */
    private static long pressure(Queue queue) {
        return Math.min(queue.gpus(), (long) NODE * queue.jobs());
    }

    private void submitUrgent(Instant now) {
        long slot = slot(now);
        if (slot > lastUrgent) {
            lastUrgent = slot;
            submit(mix.urgent(slot));
        }
    }

    private long slot(Instant at) {
        return Duration.between(Instant.EPOCH, at).dividedBy(workload.urgentEvery());
    }

    private void submit(SampleJob job) {
        try {
            desk.submit(job);
        } catch (RuntimeException e) {
            LOG.debug("a sample job was refused: {}", job.document(), e);
        }
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            thread = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("sample-jobs").daemon().factory());
            thread.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
