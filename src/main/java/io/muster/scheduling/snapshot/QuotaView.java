package io.muster.scheduling.snapshot;

import io.muster.model.QuotaShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A team's quota in one pool, in GPUs.
 *
 * @param guaranteed what the team gets whenever it wants it
 * @param limit the most it may hold, or null: none
 * @param lendable how much of the guarantee others may use while it is idle, or null: all
 * @param weight its part of the surplus; at least 1 for a part
 * @param usage decayed GPU-seconds of past use over entitled GPU-seconds of the same time; 1.0 means as entitled
 * @param shapes the parts of the guarantee that come in whole domains
 */
public record QuotaView(
        int guaranteed,
        @Nullable Integer limit,
        @Nullable Integer lendable,
        int weight,
        double usage,
        List<QuotaShape> shapes) {
    public static final QuotaView NONE = new QuotaView(0, null, null, 1, 0);

    public QuotaView {
        shapes = List.copyOf(shapes);
    }

    /** A quota without shapes. */
    public QuotaView(int guaranteed, @Nullable Integer limit, @Nullable Integer lendable, int weight, double usage) {
        this(guaranteed, limit, lendable, weight, usage, List.of());
    }
}
