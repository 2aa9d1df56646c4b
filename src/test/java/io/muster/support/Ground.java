package io.muster.support;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.inventory.FleetAdmin;
import io.muster.inventory.GpuType;
import io.muster.inventory.Pool;
import io.muster.job.JobDocument;
import io.muster.job.JobDocumentCodec;
import io.muster.model.CheckpointWay;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import io.muster.tenancy.TeamQuota;
import io.muster.tenancy.TenancyAdmin;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The ground that tests of the loop stand on: a team, a user, a pool of H100 nodes, and jobs as submission stores them. */
public final class Ground {
    public static final PoolId POOL = new PoolId("train");
    public static final GpuTypeId H100 = new GpuTypeId("H100-SXM");
    private static final String POOL_LABEL = "muster.test/pool";
    private static final String RACK_LABEL = "muster.test/rack";

    private final JdbcClient jdbc;
    private final TenancyAdmin tenancy;
    private final FleetAdmin fleet;
    private final ClusterObserver observer;
    private final Clock clock;

    public Ground(JdbcClient jdbc, TenancyAdmin tenancy, FleetAdmin fleet, ClusterObserver observer, Clock clock) {
        this.jdbc = jdbc;
        this.tenancy = tenancy;
        this.fleet = fleet;
        this.observer = observer;
        this.clock = clock;
    }

    public TeamId team(String path, int guaranteed) {
        TeamId team = tenancy.ensureTeam(null, new TeamPath(path), path).id();
        tenancy.ensureQuota(null, new TeamQuota(team, POOL, guaranteed, null, null, 1));
        return team;
    }

    public UserId user(String name) {
        return tenancy.ensureUser(null, name, name, false).id();
    }

    /** A pool of racks and nodes; each node of 8 GPUs, 128 CPUs and 1 TiB. */
    public void pool() {
        fleet.ensureGpuType(null, new GpuType(H100, 81_920, "nvidia.com/gpu", List.of("NVIDIA-H100-80GB-HBM3")));
        fleet.ensurePool(
                null,
                new Pool(
                        POOL,
                        "Training",
                        Map.of(POOL_LABEL, "train"),
                        List.of(new Pool.Level("rack", RACK_LABEL), new Pool.Level("node", "kubernetes.io/hostname")),
                        PodProfile.SHIPPED,
                        3_600_000));
    }

    public NodeId node(String name, String rack) {
        return node(name, rack, true, 8);
    }

    public NodeId node(String name, String rack, boolean ready, int gpus) {
        var node = new NodeId(name);
        observer.observe(List.of(new ClusterFact.NodeSeen(
                node,
                Map.of(
                        POOL_LABEL,
                        "train",
                        RACK_LABEL,
                        rack,
                        "kubernetes.io/hostname",
                        name,
                        "nvidia.com/gpu.product",
                        "NVIDIA-H100-80GB-HBM3"),
                List.of(),
                Map.of("nvidia.com/gpu", (long) gpus, "cpu", 128_000L, "memory", 1L << 40),
                ready,
                false,
                List.of(),
                clock.instant())));
        return node;
    }

    /** A document of one group of replicas with so many GPUs each; it saves by the API. */
    public static JobDocument document(String team, int replicas, int gpus) {
        return new JobDocument(
                "job",
                new TeamPath(team),
                "normal",
                List.of(new JobDocument.Group(
                        "worker",
                        replicas,
                        new Resources(gpus, 8_000L, 64L << 30),
                        0,
                        "images.example/train:1",
                        List.of("train"),
                        null,
                        Map.of())),
                List.of(),
                0,
                null,
                TopologyRequest.NONE,
                null,
                true,
                new JobDocument.Checkpoint(CheckpointWay.API, Duration.ofMinutes(2), null, "/ckpt"),
                0,
                List.of(),
                new TreeMap<>());
    }

    public static JobDocument saving(JobDocument d, CheckpointWay way) {
        return with(
                d,
                d.walltime(),
                d.userRetries(),
                new JobDocument.Checkpoint(way, d.checkpoint().grace(), null, "/ckpt"));
    }

    public static JobDocument retrying(JobDocument d, int times) {
        return with(d, d.walltime(), times, d.checkpoint());
    }

    public static JobDocument lasting(JobDocument d, Duration walltime) {
        return with(d, walltime, d.userRetries(), d.checkpoint());
    }

    private static JobDocument with(
            JobDocument d, @Nullable Duration walltime, int retries, JobDocument.Checkpoint checkpoint) {
        return new JobDocument(
                d.name(),
                d.team(),
                d.priority(),
                d.groups(),
                d.gpuTypes(),
                d.minGpuMemoryMib(),
                d.pool(),
                d.topology(),
                walltime,
                d.preemptible(),
                checkpoint,
                retries,
                d.data(),
                d.labels());
    }

    /** Stores a job as submission does. */
    public JobId submit(TeamId team, UserId user, JobDocument document) {
        return submit(team, user, document, UnaryOperator.identity());
    }

    public JobId submit(TeamId team, UserId user, JobDocument document, UnaryOperator<Instant> at) {
        var submitted = at.apply(clock.instant()).atOffset(ZoneOffset.UTC);
        long id = jdbc.sql("""
                        insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, state,
                            submitted_at, waiting_since)
                        values (:team, :user, :name, :priority, :preemptible, :gpus, :replicas, 'QUEUED', :at, :at)
                        returning id
                        """)
                .param("team", team.value())
                .param("user", user.value())
                .param("name", document.name())
                .param("priority", document.priority())
                .param("preemptible", document.preemptible())
                .param("gpus", document.gpus())
                .param("replicas", document.replicas())
                .param("at", submitted)
                .query(Long.class)
                .single();
        jdbc.sql("insert into job_document (job_id, revision, document, by, at) values (:id, 1, :doc::jsonb, :by, :at)")
                .param("id", id)
                .param("doc", JobDocumentCodec.toJson(document))
                .param("by", user.value())
                .param("at", submitted)
                .update();
        return new JobId(id);
    }
}
