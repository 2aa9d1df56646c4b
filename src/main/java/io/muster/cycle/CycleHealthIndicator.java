package io.muster.cycle;

import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the loop beats: here, or on the server that leads. */
@Component("cycleHealthIndicator")
class CycleHealthIndicator implements HealthIndicator {
    private static final Duration TOO_OLD = Duration.ofSeconds(30);

    private final CycleMeters meters;
    private final Leadership leadership;
    private final CycleSettings settings;

    CycleHealthIndicator(CycleMeters meters, Leadership leadership, CycleSettings settings) {
        this.meters = meters;
        this.leadership = leadership;
        this.settings = settings;
    }

    @Override
    public Health health() {
        Duration age = meters.age();
        boolean beats = !settings.enabled() || age.compareTo(TOO_OLD) < 0;
        return (beats ? Health.up() : Health.down())
                .withDetail("ageSeconds", age.toSeconds())
                .withDetail("leads", leadership.leads())
                .build();
    }
}
