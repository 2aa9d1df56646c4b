package io.muster.web.reason;

import io.muster.job.JobCatalogue;
import io.muster.job.JobRow;
import io.muster.model.Holder;
import io.muster.model.JobId;
import io.muster.model.NodeGap;
import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.view.ReasonView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes views of reasons; names of jobs and users only for readers of their team. */
@Component
public class ReasonViews {
    private final TeamDirectory teams;
    private final People people;
    private final JobCatalogue jobs;
    private final Sentences sentences;

    ReasonViews(TeamDirectory teams, People people, JobCatalogue jobs) {
        this.teams = teams;
        this.people = people;
        this.jobs = jobs;
        this.sentences = new Sentences(this::path);
    }

    /** With the names that {@code reader} may know: one query for all of them. */
    public List<ReasonView> named(List<Reason> reasons, Reader reader) {
        Set<JobId> ids = new TreeSet<>();
        reasons.forEach(r -> holders(r).map(Holder::job).forEach(id -> {
            if (id != null) {
                ids.add(id);
            }
        }));
        Map<JobId, JobRow> rows = ids.isEmpty()
                ? Map.of()
                : jobs.rows(ids).stream().collect(Collectors.toMap(JobRow::id, Function.identity()));
        Function<JobId, @Nullable String> names = id -> {
            JobRow row = rows.get(id);
            return row != null && reader.may(row.team(), Role.VIEWER) ? row.name() : null;
        };
        return reasons.stream().map(r -> view(r, names, reader)).toList();
    }

    /** Without names of jobs, for lists. */
    public ReasonView brief(Reason reason, Reader reader) {
        return view(reason, id -> null, reader);
    }

    /** Without anything that only some may know. */
    public ReasonView bare(Reason reason) {
        return view(reason, id -> null, null);
    }

    public String sentence(Remedy remedy) {
        return sentences.of(remedy);
    }

    private ReasonView view(Reason reason, Function<JobId, @Nullable String> names, @Nullable Reader reader) {
        ReasonDraft draft = new ReasonDraft(reason.kind(), sentences.of(reason));
        ReasonDraft filled = switch (reason) {
            case Reason.NeverFits r ->
                draft.pool(r.pool())
                        .gpus(r.gpusWanted(), null, null)
                        .domain(r.level(), r.largestDomain())
                        .largest(r.largestGpus())
                        .slices(r.slices());
            case Reason.TeamLimit r ->
                draft.pool(r.pool())
                        .team(path(r.team()))
                        .gpus(r.gpusWanted(), null, null)
                        .use(r.inUse(), r.limit());
            case Reason.UserLimit r ->
                draft.pool(r.pool())
                        .team(path(r.team()))
                        .user(user(r.team(), r.user(), reader))
                        .gpus(r.gpusWanted(), null, null)
                        .use(r.inUse(), r.limit());
            case Reason.QuotaInUse r ->
                draft.pool(r.pool())
                        .team(path(r.team()))
                        .gpus(r.gpusWanted(), null, null)
                        .use(r.allocated(), null)
                        .share(r.deserved(), r.entitled());
            case Reason.GuaranteeInUse r ->
                draft.pool(r.pool())
                        .team(path(r.team()))
                        .gpus(r.gpusWanted(), null, null)
                        .use(r.inUse(), null)
                        .guaranteed(r.guaranteed());
            case Reason.Order r ->
                draft.pool(r.pool())
                        .order(r.place(), r.jobsBefore(), r.gpusBefore())
                        .jobs(r.before());
            case Reason.Capacity r ->
                draft.pool(r.pool())
                        .level(r.level())
                        .gpus(r.gpusWanted(), r.gpusFree(), r.gpusUnavailable())
                        .holders(holders(r.holders(), names));
            case Reason.Fragmentation r ->
                draft.pool(r.pool())
                        .gpus(null, r.gpusFree(), null)
                        .replicas(r.replicasWanted(), r.replicasFit(), r.each().gpus())
                        .nodes(gaps(r.nearest(), names));
            case Reason.Topology r ->
                draft.pool(r.pool())
                        .domain(r.level(), r.best())
                        .slices(r.slices())
                        .replicas(r.replicasWanted(), r.replicasFit(), r.each().gpus())
                        .until(r.relaxesAt())
                        .nodes(gaps(r.nodes(), names));
            case Reason.ReservedForAnother r ->
                draft.pool(r.pool())
                        .gpus(r.gpus(), null, null)
                        .jobs(List.of(r.beneficiary()))
                        .until(r.until());
            case Reason.WaitingForVictims r ->
                draft.pool(r.pool())
                        .gpus(r.gpus(), null, null)
                        .jobs(r.victims())
                        .until(r.latest());
            case Reason.Held r -> draft.mode(null, r.why());
            case Reason.Backoff r -> draft.until(r.until()).failure(r.after().name(), r.attempt());
            case Reason.Paused r ->
                draft.pool(r.pool())
                        .team(r.team() == null ? null : path(r.team()))
                        .mode(r.mode(), r.why());
            case Reason.PreemptionFrozen r -> draft.mode(null, r.why());
            case Reason.ImageUnseen r -> draft.failure("IMAGE", r.attempt());
            case Reason.NotYetPlanned r -> draft;
        };
        return filled.view();
    }

    private static Stream<Holder> holders(Reason reason) {
        return switch (reason) {
            case Reason.Capacity r -> r.holders().stream();
            case Reason.Fragmentation r -> r.nearest().stream().flatMap(g -> g.holders().stream());
            case Reason.Topology r -> r.nodes().stream().flatMap(g -> g.holders().stream());
            default -> Stream.of();
        };
    }

    private List<ReasonView.HolderView> holders(List<Holder> holders, Function<JobId, @Nullable String> names) {
        return holders.stream()
                .map(h -> new ReasonView.HolderView(
                        h.job() == null ? null : h.job().value(),
                        h.job() == null ? null : names.apply(h.job()),
                        h.team() == null ? null : path(h.team()),
                        h.gpus(),
                        h.expectedEnd()))
                .toList();
    }

    private List<ReasonView.NodeGapView> gaps(List<NodeGap> gaps, Function<JobId, @Nullable String> names) {
        return gaps.stream()
                .map(g -> new ReasonView.NodeGapView(
                        g.node().value(), g.total(), g.free(), g.reserved(), holders(g.holders(), names)))
                .toList();
    }

    private @Nullable String user(TeamId team, UserId user, @Nullable Reader reader) {
        return reader != null && reader.may(team, Role.VIEWER)
                ? people.find(user).map(Person::username).orElse(null)
                : null;
    }

    private String path(TeamId team) {
        return teams.find(team).map(t -> t.path().value()).orElseGet(team::toString);
    }
}
