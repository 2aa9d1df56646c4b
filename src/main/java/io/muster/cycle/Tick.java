package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What Quartz runs every second, on any one of the servers. It only wakes: a server that does not lead passes the tick on
 * to the one that does.
 */
public final class Tick implements Job {
    static final String CHANNEL = "muster_tick";

    private final WakeUps wakeUps;
    private final Leadership leadership;
    private final JdbcClient jdbc;
    private final MeterRegistry meters;

    Tick(WakeUps wakeUps, Leadership leadership, JdbcClient jdbc, MeterRegistry meters) {
        this.meters = meters;
        this.wakeUps = wakeUps;
        this.leadership = leadership;
        this.jdbc = jdbc;
    }

    @Override
    public void execute(JobExecutionContext context) {
        meters.counter("muster.cycle.ticks").increment();
        wakeUps.wake();
        if (!leadership.leads()) {
            Objects.requireNonNull(jdbc.sql("select pg_notify(:channel, '')::text")
                    .param("channel", CHANNEL)
                    .query((row, n) -> "")
                    .single());
        }
    }
}
