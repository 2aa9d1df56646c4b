package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies of the actions on jobs. */
public final class Actions {
    private Actions() {}

    public record Reason(@Nullable String why) {}

    public record Priority(String priority) {}

    /** {@code by} as people write durations: 2h more walltime. */
    public record Extend(String by) {}

    /** One action on many jobs; {@code dryRun} says what would happen. {@code action}: cancel, hold, release, priority. */
    public record Bulk(
            String action,
            List<Long> jobs,
            @Nullable String priority,
            @Nullable String why,
            boolean dryRun) {}

    public record BulkResult(List<BulkItem> items) {}

    /**
     * What became, or would become, of one job of many; what the job is now is absent where there is none to see.
     *
     * @param outcome done, would-do, unchanged, refused or not-found
     * @param code a stable word for why not, null: nothing stands against it
     * @param detail the same as a sentence
     */
    public record BulkItem(
            long job,
            String outcome,
            @Nullable String code,
            @Nullable String detail,
            @Nullable String name,
            @Nullable String state,
            @Nullable String priority,
            @Nullable Integer gpus) {}
}
