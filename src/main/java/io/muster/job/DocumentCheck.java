package io.muster.job;

import io.muster.inventory.Fleet;
import io.muster.job.document.DocumentReader;
import io.muster.job.document.Draft;
import io.muster.job.document.Faults;
import io.muster.job.document.Node;
import io.muster.job.document.Trees;
import io.muster.model.CheckpointWay;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.model.Role;
import io.muster.model.Slices;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.policy.PolicyBook;
import io.muster.policy.PriorityClass;
import io.muster.tenancy.Reader;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDefaults;
import io.muster.tenancy.TeamDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/** Makes a valid document of what somebody wrote, with the team's defaults filled in, or says all that is wrong. */
@Component
class DocumentCheck {
    private static final String USUAL_PRIORITY = "normal";

    private final TeamDirectory teams;
    private final PolicyBook policy;
    private final Fleet fleet;
    private final ObjectProvider<Feasibility> feasibility;
    private final PriorityRule priorities;

    /** The core is asked late: what implements the port needs this module first. */
    DocumentCheck(
            TeamDirectory teams,
            PolicyBook policy,
            Fleet fleet,
            ObjectProvider<Feasibility> feasibility,
            PriorityRule priorities) {
        this.teams = teams;
        this.policy = policy;
        this.fleet = fleet;
        this.feasibility = feasibility;
        this.priorities = priorities;
    }

    /** A document that may be stored, its team, and what was written. */
    record Checked(JobDocument document, Team team, ObjectNode written) {}

    /**
     * Checks a document for {@code reader}.
     *
     * @param present the document that it is to replace, or null for a new job: what does not change is not asked anew
     * @throws DocumentRefused with all that is wrong
     */
    Checked check(Reader reader, Node.Fields tree, @Nullable JobDocument present) {
        DocumentReader.Read read = DocumentReader.read(tree);
        Draft draft = read.draft();
        Faults faults = read.faults();
        Optional<Team> team = team(reader, draft, faults, present);
        if (team.isEmpty()) {
            throw DocumentRefused.invalid(faults.list());
        }
        TeamDefaults defaults = teams.defaults(team.get().id());
        String priority = priority(reader, draft, faults, team.get(), present);
        TeamRules rules = new TeamRules(
                draft,
                faults,
                team.get().id(),
                defaults,
                teams.quotas(),
                teams.volumes(team.get().id()),
                fleet);
        rules.check(policy.current().values(), present == null ? null : present.walltime());
        if (!faults.none()) {
            throw DocumentRefused.invalid(faults.list());
        }
        JobDocument document = fill(draft, team.get(), priority, defaults, rules);
        refuseWhatNeverFits(team.get(), document);
        return new Checked(document, team.get(), Trees.toJson(tree));
    }

    private Optional<Team> team(Reader reader, Draft draft, Faults faults, @Nullable JobDocument present) {
        if (draft.team() == null) {
            return Optional.empty();
        }
        if (present != null && !present.team().value().equals(draft.team())) {
            faults.add("team", "not-changeable", "a job stays in its team; submit it anew for another");
            return Optional.empty();
        }
        Optional<Team> team = teams.find(new TeamPath(draft.team()))
                .filter(t -> !t.archived())
                .filter(t -> reader.may(t.id(), Role.MEMBER));
        if (team.isEmpty()) {
            faults.add("team", "unknown-team", "there is no such team that you may submit to");
        }
        return team;
    }

    private String priority(Reader reader, Draft draft, Faults faults, Team team, @Nullable JobDocument present) {
        String name = draft.priority() == null ? USUAL_PRIORITY : draft.priority();
        Optional<PriorityClass> found = policy.priorityClass(name);
        if (found.isEmpty()) {
            List<String> known =
                    policy.classes().stream().map(PriorityClass::name).toList();
            faults.add(
                    "priority",
                    "unknown-priority",
                    "there is no priority class %s; there are %s".formatted(name, String.join(", ", known)));
        } else if (present == null || !present.priority().equals(name)) {
            priorities
                    .refusal(reader, name, team.id())
                    .ifPresent(why -> faults.add("priority", "priority-not-allowed", why));
        }
        return name;
    }

    private void refuseWhatNeverFits(Team team, JobDocument document) {
        Optional<Reason.NeverFits> never = feasibility.getObject().neverFits(team.id(), document);
        if (never.isEmpty()) {
            return;
        }
        throw new DocumentRefused(
                DocumentRefused.Kind.NEVER_FITS,
                List.of(NeverFitsFault.of(feasibility.getObject(), team.id(), document, never.get())),
                List.of(never.get()));
    }

    private JobDocument fill(Draft d, Team team, String priority, TeamDefaults defaults, TeamRules rules) {
        return new JobDocument(
                Objects.requireNonNull(d.name()),
                team.path(),
                priority,
                d.groups().stream().map(g -> fill(g, defaults)).toList(),
                d.gpuTypes().stream().map(GpuTypeId::new).toList(),
                d.minGpuMemoryMib() == null ? 0 : d.minGpuMemoryMib(),
                d.pool() == null ? null : new PoolId(d.pool()),
                new TopologyRequest(d.require(), d.prefer(), d.patience() == null ? Duration.ZERO : d.patience()),
                walltime(d, defaults),
                d.preemptible() == null || d.preemptible(),
                new JobDocument.Checkpoint(
                        d.by() == null ? CheckpointWay.SIGTERM : d.by(),
                        d.grace() == null ? policy.current().values().defaultGrace() : d.grace(),
                        d.every(),
                        d.checkpointPath()),
                d.userRetries(),
                data(d, rules),
                new TreeMap<>(d.labels()));
    }

    private static @Nullable Duration walltime(Draft d, TeamDefaults defaults) {
        if (d.walltime() != null) {
            return d.walltime();
        }
        Duration usual = defaults.walltime();
        Duration most = defaults.maxWalltime();
        return usual == null || most != null && most.compareTo(usual) < 0 ? most : usual;
    }

    /** What a replica does not ask for by itself, it gets by its GPUs; one without GPUs as if it had one. */
    private static JobDocument.Group fill(Draft.Group g, TeamDefaults defaults) {
        int portions = Math.max(1, g.gpus());
        return new JobDocument.Group(
                g.name(),
                g.replicas(),
                g.min(),
                new Resources(
                        g.gpus(),
                        g.cpuMillis() == null ? portions * orZero(defaults.cpuMillisPerGpu()) : g.cpuMillis(),
                        g.memoryBytes() == null ? portions * orZero(defaults.memoryBytesPerGpu()) : g.memoryBytes()),
                g.sharedMemoryBytes() == null ? orZero(defaults.sharedMemoryBytes()) : g.sharedMemoryBytes(),
                g.image(),
                g.command(),
                g.workdir(),
                g.env(),
                g.slices() == null
                        ? null
                        : new Slices(g.slices().size(), g.slices().level()));
    }

    private static List<JobDocument.Data> data(Draft d, TeamRules rules) {
        List<JobDocument.Data> data = new ArrayList<>();
        for (Draft.Mount m : d.data()) {
            data.add(
                    m.volume() != null
                            ? new JobDocument.Data.Volume(m.volume(), m.at(), rules.isReadOnly(m))
                            : new JobDocument.Data.Scratch(Objects.requireNonNull(m.scratchBytes()), m.at()));
        }
        return data;
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }
}
