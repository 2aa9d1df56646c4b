package io.muster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.DomainPath;
import io.muster.model.Explanation;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.Holder;
import io.muster.model.JobId;
import io.muster.model.NodeGap;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExplanationCodecTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final PoolId POOL = new PoolId("h100");
    private static final TeamId TEAM = new TeamId(UUID.fromString("00000000-0000-0000-0000-000000000001"));
    private static final UserId USER = new UserId(UUID.fromString("00000000-0000-0000-0000-000000000002"));
    private static final Holder HOLDER = new Holder(new JobId(7), TEAM, 3, null);
    private static final NodeGap GAP = new NodeGap(new NodeId("n1"), 8, 4, 1, List.of(HOLDER));
    private static final Resources EACH = new Resources(8, 64_000, 1L << 39);

    private static final List<Reason> REASONS = List.of(
            new Reason.NeverFits(null, 64, "rack", 32, new DomainPath(List.of("b1", "r1"))),
            new Reason.NeverFits(POOL, 64, null, 32, DomainPath.POOL, new Slices(8, "nvlink")),
            new Reason.TeamLimit(TEAM, POOL, 8, 60, 64),
            new Reason.UserLimit(TEAM, USER, POOL, 8, 8, 8),
            new Reason.QuotaInUse(TEAM, POOL, 8, 32, 32, 40),
            new Reason.GuaranteeInUse(TEAM, POOL, 8, 16, 16),
            new Reason.Order(POOL, 3, 2, 16, List.of(new JobId(1), new JobId(2))),
            new Reason.Capacity(POOL, 32, "rack", 28, 4, List.of(HOLDER)),
            new Reason.Capacity(POOL, 32, null, 28, 4, List.of()),
            new Reason.Fragmentation(POOL, 4, EACH, 3, 31, List.of(GAP)),
            new Reason.Topology(POOL, "rack", 4, EACH, DomainPath.POOL, 3, NOW, List.of(GAP)),
            new Reason.Topology(POOL, "rack", 4, EACH, DomainPath.POOL, 2, NOW, List.of(GAP), new Slices(2, "nvlink")),
            new Reason.ReservedForAnother(POOL, new JobId(9), 8, null),
            new Reason.WaitingForVictims(POOL, List.of(new JobId(4)), 8, NOW),
            new Reason.Held("by ada"),
            new Reason.Backoff(NOW, FailureClass.NODE_LOST, 2),
            new Reason.Paused(POOL, null, "PAUSED", "maintenance"),
            new Reason.PreemptionFrozen("incident"),
            new Reason.ImageUnseen(2),
            new Reason.NotYetPlanned());

    @Test
    void everyReasonAndRemedyComesBackEqual() {
        Explanation explanation = new Explanation(
                new JobId(12),
                NOW,
                REASONS,
                3,
                List.of(new JobId(1)),
                null,
                NOW,
                List.of(
                        new Remedy.RelaxTopology(null, "rack", 2),
                        new Remedy.WithoutSlices(2),
                        new Remedy.FewerReplicas(3),
                        new Remedy.BeElastic(2),
                        new Remedy.OtherPool(POOL, new GpuTypeId("A100-80GB")),
                        new Remedy.RaisePriority("high", List.of(new JobId(4)), 7200)));
        assertThat(ExplanationCodec.fromJson(ExplanationCodec.toJson(explanation)))
                .isEqualTo(explanation);
    }

    @Test
    void noKindOfReasonIsForgottenHere() {
        assertThat(Reason.class.getPermittedSubclasses())
                .allMatch(kind -> REASONS.stream().anyMatch(kind::isInstance));
    }
}
