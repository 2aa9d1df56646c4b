package io.muster.web.reason;

import io.muster.model.DomainPath;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Slices;
import io.muster.web.view.ReasonView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link ReasonView} while it is filled in: each kind sets the few fields that it has. */
final class ReasonDraft {
    private final String kind;
    private final String sentence;
    private @Nullable String pool;
    private @Nullable String team;
    private @Nullable String user;
    private @Nullable Integer gpusWanted;
    private @Nullable Integer gpusFree;
    private @Nullable Integer gpusUnavailable;
    private @Nullable Integer inUse;
    private @Nullable Integer limit;
    private @Nullable Integer deserved;
    private @Nullable Integer entitled;
    private @Nullable Integer guaranteed;
    private @Nullable Integer place;
    private @Nullable Integer jobsBefore;
    private @Nullable Integer gpusBefore;
    private @Nullable Integer replicasWanted;
    private @Nullable Integer replicasFit;
    private @Nullable Integer gpusEach;
    private @Nullable String level;
    private @Nullable String domain;
    private @Nullable Integer sliceSize;
    private @Nullable String sliceLevel;
    private @Nullable Integer largestGpus;
    private @Nullable Instant until;
    private @Nullable String failure;
    private @Nullable Integer attempt;
    private @Nullable String mode;
    private @Nullable String why;
    private List<Long> jobs = List.of();
    private List<ReasonView.HolderView> holders = List.of();
    private List<ReasonView.NodeGapView> nodes = List.of();

    ReasonDraft(String kind, String sentence) {
        this.kind = kind;
        this.sentence = sentence;
    }

    ReasonDraft pool(@Nullable PoolId value) {
        pool = value == null ? null : value.value();
        return this;
    }

    ReasonDraft team(@Nullable String value) {
        team = value;
        return this;
    }

    ReasonDraft user(@Nullable String value) {
        user = value;
        return this;
    }

    ReasonDraft gpus(@Nullable Integer wanted, @Nullable Integer free, @Nullable Integer unavailable) {
        gpusWanted = wanted;
        gpusFree = free;
        gpusUnavailable = unavailable;
        return this;
    }

    ReasonDraft use(int value, @Nullable Integer most) {
        inUse = value;
        limit = most;
        return this;
    }

    ReasonDraft share(int what, int entitlement) {
        deserved = what;
        entitled = entitlement;
        return this;
    }

    ReasonDraft guaranteed(int value) {
        guaranteed = value;
        return this;
    }

    ReasonDraft order(int where, int before, int gpus) {
        place = where;
        jobsBefore = before;
        gpusBefore = gpus;
        return this;
    }

    ReasonDraft replicas(int wanted, int fit, int each) {
        replicasWanted = wanted;
        replicasFit = fit;
        gpusEach = each;
        return this;
    }

    ReasonDraft level(@Nullable String of) {
        level = of;
        return this;
    }

    ReasonDraft domain(@Nullable String of, DomainPath path) {
        level = of;
        domain = path.names().isEmpty() ? null : path.toString();
        return this;
    }

    ReasonDraft slices(@Nullable Slices value) {
        sliceSize = value == null ? null : value.size();
        sliceLevel = value == null ? null : value.level();
        return this;
    }

    ReasonDraft largest(int value) {
        largestGpus = value;
        return this;
    }

    ReasonDraft until(@Nullable Instant value) {
        until = value;
        return this;
    }

    ReasonDraft failure(String value, int after) {
        failure = value;
        attempt = after;
        return this;
    }

    ReasonDraft mode(@Nullable String value, String because) {
        mode = value;
        why = because;
        return this;
    }

    ReasonDraft jobs(List<JobId> values) {
        jobs = values.stream().map(JobId::value).toList();
        return this;
    }

    ReasonDraft holders(List<ReasonView.HolderView> values) {
        holders = values;
        return this;
    }

    ReasonDraft nodes(List<ReasonView.NodeGapView> values) {
        nodes = values;
        return this;
    }

    ReasonView view() {
        return new ReasonView(
                kind,
                sentence,
                pool,
                team,
                user,
                gpusWanted,
                gpusFree,
                gpusUnavailable,
                inUse,
                limit,
                deserved,
                entitled,
                guaranteed,
                place,
                jobsBefore,
                gpusBefore,
                replicasWanted,
                replicasFit,
                gpusEach,
                level,
                domain,
                sliceSize,
                sliceLevel,
                largestGpus,
                until,
                failure,
                attempt,
                mode,
                why,
                jobs,
                holders,
                nodes);
    }
}
