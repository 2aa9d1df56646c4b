package io.muster.scheduling.build;

import io.muster.scheduling.snapshot.QuotaView;
import org.jspecify.annotations.Nullable;

/** A quota in words: {@code guaranteed(4).limit(8)}. */
public record Quota(
        int guaranteed, @Nullable Integer limit, @Nullable Integer lendable, int weight, double usage) {
    public static Quota guaranteed(int gpus) {
        return new Quota(gpus, null, null, 1, 0);
    }

    public static Quota weighted(int weight) {
        return guaranteed(0).weight(weight);
    }

    public Quota limit(int gpus) {
        return new Quota(guaranteed, gpus, lendable, weight, usage);
    }

    public Quota lendable(int gpus) {
        return new Quota(guaranteed, limit, gpus, weight, usage);
    }

    public Quota weight(int value) {
        return new Quota(guaranteed, limit, lendable, value, usage);
    }

    public Quota usage(double value) {
        return new Quota(guaranteed, limit, lendable, weight, value);
    }

    QuotaView view() {
        return new QuotaView(guaranteed, limit, lendable, weight, usage);
    }
}
