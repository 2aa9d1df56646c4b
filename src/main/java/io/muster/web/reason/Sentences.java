package io.muster.web.reason;

import io.muster.model.DomainPath;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.Slices;
import io.muster.model.TeamId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reasons and remedies in English, the cause first, with their numbers. */
final class Sentences {
    private final Function<TeamId, String> team;

    /** @param team gives a team's path */
    Sentences(Function<TeamId, String> team) {
        this.team = team;
    }

    String of(Reason reason) {
        return switch (reason) {
            case Reason.NeverFits r ->
                "It needs %s%s%s, and the whole fleet, empty and healthy, could hold %d%s."
                        .formatted(
                                gpus(r.gpusWanted()),
                                in(r.level()),
                                sliced(r.slices()),
                                r.largestGpus(),
                                at(r.largestDomain()));
            case Reason.TeamLimit r ->
                "%s may use %s in %s and uses %d; this job needs %d."
                        .formatted(team.apply(r.team()), gpus(r.limit()), r.pool(), r.inUse(), r.gpusWanted());
            case Reason.UserLimit r ->
                "One user may hold %s of %s in %s and holds %d; this job needs %d."
                        .formatted(gpus(r.limit()), team.apply(r.team()), r.pool(), r.inUse(), r.gpusWanted());
            case Reason.QuotaInUse r ->
                "%s deserves %s in %s now and uses %d; this job needs %d more and may not take them from others."
                        .formatted(team.apply(r.team()), gpus(r.deserved()), r.pool(), r.allocated(), r.gpusWanted());
            case Reason.GuaranteeInUse r ->
                "A job that may not be preempted runs inside the guarantee: %s has %s in %s, %d in use, and this job needs %d."
                        .formatted(team.apply(r.team()), gpus(r.guaranteed()), r.pool(), r.inUse(), r.gpusWanted());
            case Reason.Order r ->
                "%s with %s before it in %s.".formatted(jobsStand(r.jobsBefore()), gpus(r.gpusBefore()), r.pool());
            case Reason.Capacity r ->
                "It needs %s%s; %s has %d free%s."
                        .formatted(
                                gpus(r.gpusWanted()),
                                r.level() == null ? "" : " in one " + r.level(),
                                r.pool(),
                                r.gpusFree(),
                                r.gpusUnavailable() == 0
                                        ? ""
                                        : " and %d out of service".formatted(r.gpusUnavailable()));
            case Reason.Fragmentation r ->
                "It needs %s of %s each on single nodes; %d fit, although %s has %d free in sum."
                        .formatted(
                                replicas(r.replicasWanted()),
                                gpus(r.each().gpus()),
                                r.replicasFit(),
                                r.pool(),
                                r.gpusFree());
            case Reason.Topology r ->
                r.slices() == null
                        ? "It needs %s of %s each in one %s; the best one%s has room for %d."
                                .formatted(
                                        replicas(r.replicasWanted()),
                                        gpus(r.each().gpus()),
                                        r.level(),
                                        at(r.best()),
                                        r.replicasFit())
                        : "It needs %s of %s each%s; the best place%s has room for %s."
                                .formatted(
                                        replicas(r.replicasWanted()),
                                        gpus(r.each().gpus()),
                                        sliced(r.slices()),
                                        at(r.best()),
                                        slices(r.replicasFit() / r.slices().size()));
            case Reason.ReservedForAnother r ->
                "%s of %s that would do, free now or later, are kept for job %s."
                        .formatted(gpus(r.gpus()), r.pool(), r.beneficiary());
            case Reason.WaitingForVictims r ->
                "%s of %s are kept for it; %s %s asked to save and make room."
                        .formatted(
                                gpus(r.gpus()),
                                r.pool(),
                                jobs(r.victims()),
                                r.victims().size() == 1 ? "is" : "are");
            case Reason.Held r -> r.why().isEmpty() ? "It is held." : "It is held: " + r.why();
            case Reason.Backoff r ->
                "Attempt %d ended (%s); it waits until %s before the next."
                        .formatted(
                                r.attempt(), words(r.after().name()), r.until().truncatedTo(ChronoUnit.SECONDS));
            case Reason.Paused r ->
                "Scheduling is paused%s: %s"
                        .formatted(
                                r.pool() != null
                                        ? " in " + r.pool()
                                        : r.team() != null ? " for " + team.apply(r.team()) : "",
                                r.why());
            case Reason.PreemptionFrozen r -> "Only preemption would help, and it is frozen: " + r.why();
            case Reason.ImageUnseen r ->
                "Only preemption would help, and nobody yields for an image that attempt %d could not pull."
                        .formatted(r.attempt());
            case Reason.NotYetPlanned r -> "The next cycle decides about it.";
        };
    }

    String of(Remedy remedy) {
        return switch (remedy) {
            case Remedy.RelaxTopology r ->
                r.require() == null && r.prefer() == null
                        ? "Ask for no topology: it would start now%s.".formatted(over(r.domainsUsed()))
                        : "Ask for %s: it would start now%s."
                                .formatted(
                                        r.require() != null
                                                ? "one " + r.require()
                                                : "one " + r.prefer() + " if possible",
                                        over(r.domainsUsed()));
            case Remedy.WithoutSlices r -> "Without slices it would start now%s.".formatted(over(r.domainsUsed()));
            case Remedy.FewerReplicas r -> "With %s it would start now.".formatted(replicas(r.replicas()));
            case Remedy.BeElastic r ->
                "If it works with %s it would start now, and grow when there is room.".formatted(replicas(r.min()));
            case Remedy.OtherPool r -> "In %s on %s it would start now.".formatted(r.pool(), r.type());
            case Remedy.RaisePriority r ->
                "As %s it would start now: %s would save and make room, and redo at most %d GPU-seconds."
                        .formatted(r.priorityClass(), jobs(r.victims()), r.gpuSecondsLost());
        };
    }

    private static String gpus(int n) {
        return n == 1 ? "1 GPU" : n + " GPUs";
    }

    private static String replicas(int n) {
        return n == 1 ? "1 replica" : n + " replicas";
    }

    private static String sliced(@org.jspecify.annotations.Nullable Slices slices) {
        return slices == null ? "" : ", in slices of %d inside one %s".formatted(slices.size(), slices.level());
    }

    private static String slices(int n) {
        return n == 1 ? "1 slice" : n + " slices";
    }

    private static String jobsStand(int n) {
        return n == 1 ? "1 job stands" : n + " jobs stand";
    }

    private static String jobs(List<JobId> ids) {
        return ids.isEmpty()
                ? "nobody"
                : (ids.size() == 1 ? "job " : "jobs ")
                        + ids.stream().map(JobId::toString).collect(Collectors.joining(", "));
    }

    private static String in(@org.jspecify.annotations.Nullable String level) {
        return level == null ? "" : " in one " + level;
    }

    private static String at(DomainPath path) {
        return path.names().isEmpty() ? "" : " (" + path + ")";
    }

    private static String over(int domains) {
        return domains > 1 ? ", spread over " + domains + " domains" : "";
    }

    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
