package io.muster.scheduling.problem;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives numbers to what jobs have in common on one fleet: users, shapes, kinds. Numbers once given stay. */
final class Reader {
    private final Fleet fleet;
    private final Map<UserOfTeam, Integer> users = new HashMap<>();
    private final Map<Wants, Optional<Fitting>> fittings = new HashMap<>();
    private final Map<Record, Integer> kinds = new HashMap<>();
    private final Map<Size, Fitting> sizes = new HashMap<>();
    private int[] leafOf = new int[16];
    private int shapes;

    private record UserOfTeam(TeamId team, UserId user) {}

    /** What decides where a job could ever lie. */
    private record Wants(
            List<PoolId> pools, List<GpuTypeId> types, long memory, List<GroupShape> groups, TopologyRequest topology) {
        static Wants of(JobFacts facts) {
            return new Wants(
                    facts.pools(), facts.gpuTypes(), facts.minGpuMemoryMib(), facts.groups(), facts.topology());
        }
    }

    /** What decides about a job besides its place among others. */
    private record Alike(Family family, int user, @Nullable Duration walltime) {}

    /** The same for those of one team for whom no walltime decides; the user counts only where users are capped. */
    private record Family(
            int shape,
            int leaf,
            int user,
            int priority,
            int classValue,
            boolean preemptible,
            @Nullable String privilege,
            boolean patient) {}

    private record Fitting(int shape, Gang gang, List<Partition> options) {}

    /** An elastic gang of {@code shape} with so many replicas of each group. */
    private record Size(int shape, List<Integer> counts) {}

    Reader(Fleet fleet) {
        this.fleet = fleet;
    }

    /** The job as a claimant, or null when nothing in the whole fleet could ever hold it. */
    @Nullable Claimant claimant(WaitingJob job, TeamTree tree, int number, int priority, Instant asOf) {
        var fitting = fittings.computeIfAbsent(Wants.of(job.facts()), w -> fitting(job.facts()));
        if (fitting.isEmpty()) {
            return null;
        }
        int leaf = tree.leaf(job.facts().team());
        if (leaf < 0) {
            throw new IllegalArgumentException("no such team: " + job.facts().team());
        }
        int user = user(job.facts(), leaf);
        var excluded = excluded(job.excludedNodes());
        boolean single = excluded != null || !job.notBeside().isEmpty() || job.backoff() != null;
        var fits = fitting.get();
        var patientUntil = job.patientUntil();
        boolean patient = patientUntil != null && asOf.isBefore(patientUntil);
        var family = family(job, fits.shape, tree, leaf, user, priority, patient);
        return new Claimant(
                number,
                job,
                fits.gang,
                leaf,
                user,
                fits.options,
                priority,
                fits.shape,
                single ? Claimant.LIKE_NO_OTHER : kind(family, user, job),
                single ? Claimant.LIKE_NO_OTHER : number(family),
                excluded,
                job.facts().isElastic(),
                job.facts().submittedAt().getEpochSecond(),
                Claimant.nanos(job.facts().walltime()));
    }

    /** The claimant with so many replicas of each group; what it wants stays the whole. */
    Claimant sized(Claimant whole, List<Integer> counts) {
        var groups = whole.facts().groups();
        if (counts.equals(groups.stream().map(GroupShape::replicas).toList())) {
            return whole;
        }
        var size = sizes.computeIfAbsent(
                new Size(whole.shape(), counts),
                s -> new Fitting(shapes++, new Gang(Sizes.shaped(groups, counts)), whole.options()));
        return whole.of(size.gang, size.shape);
    }

    /** {@code leaf}: the team's entry in the tree. */
    int user(JobFacts facts, int leaf) {
        return users.computeIfAbsent(new UserOfTeam(facts.team(), facts.user()), k -> {
            int user = users.size();
            if (user == leafOf.length) {
                leafOf = Arrays.copyOf(leafOf, 2 * user);
            }
            leafOf[user] = leaf;
            return user;
        });
    }

    /** By user: the leaf of the user's team. */
    int[] leafOfUsers() {
        return leafOf;
    }

    private static Family family(
            WaitingJob job, int shape, TeamTree tree, int leaf, int user, int priority, boolean patient) {
        var facts = job.facts();
        return new Family(
                shape,
                leaf,
                tree.team(leaf).userCap() == null ? -1 : user,
                priority,
                facts.priority(),
                facts.preemptible(),
                facts.acrossTeams() ? facts.priorityClass() + facts.classCap() : null,
                patient);
    }

    private int kind(Family family, int user, WaitingJob job) {
        return number(new Alike(family, user, job.facts().walltime()));
    }

    private int number(Record alike) {
        return kinds.computeIfAbsent(alike, k -> kinds.size());
    }

    private Optional<Fitting> fitting(JobFacts facts) {
        var gang = new Gang(facts.groups());
        var options = Options.everFitting(fleet, facts);
        return options.isEmpty() ? Optional.empty() : Optional.of(new Fitting(shapes++, gang, options));
    }

    private @Nullable BitSet excluded(Set<NodeId> nodes) {
        if (nodes.isEmpty()) {
            return null;
        }
        var bits = new BitSet();
        nodes.stream().mapToInt(fleet::number).filter(n -> n >= 0).forEach(bits::set);
        return bits.isEmpty() ? null : bits;
    }

    Fleet fleet() {
        return fleet;
    }

    int userCount() {
        return users.size();
    }

    /** How many different jobs it has seen. */
    int size() {
        return kinds.size() + fittings.size() + sizes.size() + users.size();
    }
}
