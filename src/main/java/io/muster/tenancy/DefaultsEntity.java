package io.muster.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "team_defaults")
class DefaultsEntity {
    @Id
    @Column(name = "team_id")
    UUID teamId;

    @Column(name = "cpu_millis_per_gpu")
    @Nullable Long cpuMillisPerGpu;

    @Column(name = "memory_bytes_per_gpu")
    @Nullable Long memoryBytesPerGpu;

    @Column(name = "shared_memory_bytes")
    @Nullable Long sharedMemoryBytes;

    @Column(name = "walltime_seconds")
    @Nullable Long walltimeSeconds;

    @Column(name = "max_walltime_seconds")
    @Nullable Long maxWalltimeSeconds;

    @Column(name = "image_allowlist", columnDefinition = "text[]")
    String[] imageAllowlist = {};

    @Column(name = "user_gpu_cap")
    @Nullable Integer userGpuCap;

    @Column(name = "user_queue_cap")
    @Nullable Integer userQueueCap;

    @Column(name = "job_order")
    @Nullable String order;

    @Version
    long version = 1;

    protected DefaultsEntity() {}

    DefaultsEntity(UUID teamId) {
        this.teamId = teamId;
    }

    void set(TeamDefaults defaults) {
        cpuMillisPerGpu = defaults.cpuMillisPerGpu();
        memoryBytesPerGpu = defaults.memoryBytesPerGpu();
        sharedMemoryBytes = defaults.sharedMemoryBytes();
        walltimeSeconds = seconds(defaults.walltime());
        maxWalltimeSeconds = seconds(defaults.maxWalltime());
        imageAllowlist = defaults.imageAllowlist().toArray(String[]::new);
        userGpuCap = defaults.userGpuCap();
        userQueueCap = defaults.userQueueCap();
        order = defaults.order() == null ? null : defaults.order().name();
    }

    private static @Nullable Long seconds(@Nullable Duration duration) {
        return duration == null ? null : duration.toSeconds();
    }
}
