package io.muster.web.jobs;

import io.muster.inventory.Fleet;
import io.muster.inventory.Pool;
import io.muster.job.JobDocument;
import io.muster.job.JobRow;
import io.muster.model.PoolId;
import io.muster.web.view.JobDetail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** What a job costs: GPUs, times time, times the price of its pool; the books are kept by accounting. */
@Component
public class JobCosts {
    private static final double SECONDS_PER_HOUR = 3600;

    private final Fleet fleet;
    private final Clock clock;
    private final String currency;

    JobCosts(Fleet fleet, Clock clock, @Value("${muster.currency:USD}") String currency) {
        this.fleet = fleet;
        this.clock = clock;
        this.currency = currency;
    }

    public String currency() {
        return currency;
    }

    /** Running time of all attempts, the present one included. */
    long ranSeconds(JobRow row) {
        return row.ran().toSeconds() + presentSeconds(row);
    }

    private long presentSeconds(JobRow row) {
        Instant running = row.now() == null || !row.life().state().isActive()
                ? null
                : row.now().runningAt();
        return running == null
                ? 0
                : Math.max(0, Duration.between(running, clock.instant()).toSeconds());
    }

    JobDetail.Cost soFar(JobRow row) {
        long present = row.now() == null
                ? 0
                : Math.multiplyExact(presentSeconds(row), (long) row.now().gpus());
        long gpuSeconds = Math.addExact(row.ranGpuSeconds(), present);
        return new JobDetail.Cost(gpuSeconds / SECONDS_PER_HOUR, micros(gpuSeconds, price(row.pool())), currency);
    }

    /** Of the whole walltime in the pool; null without walltime or pool. */
    @Nullable Long ahead(JobDocument document, @Nullable PoolId pool) {
        PoolId where = pool == null ? document.pool() : pool;
        Duration walltime = document.walltime();
        if (walltime == null || where == null || fleet.pool(where).isEmpty()) {
            return null;
        }
        return micros(Math.multiplyExact(walltime.toSeconds(), (long) document.gpus()), price(where));
    }

    private long price(@Nullable PoolId pool) {
        return pool == null ? 0 : fleet.pool(pool).map(Pool::microsPerGpuHour).orElse(0L);
    }

    private static long micros(long gpuSeconds, long microsPerGpuHour) {
        return java.math.BigInteger.valueOf(gpuSeconds)
                .multiply(java.math.BigInteger.valueOf(microsPerGpuHour))
                .divide(java.math.BigInteger.valueOf(3600))
                .min(java.math.BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }
}
