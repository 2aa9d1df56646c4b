package io.muster.scheduling.build;

import io.muster.model.QuotaShape;
import io.muster.scheduling.snapshot.QuotaView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A quota in words: {@code guaranteed(4).limit(8)}. */
public record Quota(
        int guaranteed,
        @Nullable Integer limit,
        @Nullable Integer lendable,
        int weight,
        double usage,
        List<QuotaShape> shapes) {
    public static Quota guaranteed(int gpus) {
        return new Quota(gpus, null, null, 1, 0, List.of());
    }

    public static Quota weighted(int weight) {
        return guaranteed(0).weight(weight);
    }

    public Quota limit(int gpus) {
        return new Quota(guaranteed, gpus, lendable, weight, usage, shapes);
    }

    public Quota lendable(int gpus) {
        return new Quota(guaranteed, limit, gpus, weight, usage, shapes);
    }

    public Quota weight(int value) {
        return new Quota(guaranteed, limit, lendable, value, usage, shapes);
    }

    public Quota usage(double value) {
        return new Quota(guaranteed, limit, lendable, weight, value, shapes);
    }

    /** A part of the guarantee in whole domains. */
    public Quota shape(int count, String level, int gpus) {
        var more = new ArrayList<>(shapes);
        more.add(new QuotaShape(count, level, gpus));
        return new Quota(guaranteed, limit, lendable, weight, usage, more);
    }

    QuotaView view() {
        return new QuotaView(guaranteed, limit, lendable, weight, usage, shapes);
    }
}
