package io.muster.scheduling.preemption;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.verify.PlanVerifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** On three small nodes every set of victims and every place can be tried: the plan's is the cheapest of the lawful ones. */
class CheapestVictimsTest {
    private static final PoolId POOL = new PoolId("gpu");
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final JobId BENEFICIARY = new JobId(1);
    private static final int WORLDS = Integer.getInteger("muster.worlds", 300);

    /** Lower classes first, then by GPU-seconds lost. */
    private record Price(int highestPriority, long lost) implements Comparable<Price> {
        private static final Comparator<Price> ORDER =
                Comparator.comparingInt(Price::highestPriority).thenComparingLong(Price::lost);

        @Override
        public int compareTo(Price other) {
            return ORDER.compare(this, other);
        }
    }

    /** Team a beside b and c at the top, or beside b below a team of both. */
    private static Cluster world(Random random) {
        boolean flat = random.nextBoolean();
        var world = cluster()
                .rack("r1", node("n1").gpus(4), node("n2").gpus(4))
                .rack("r2", node("n3").gpus(4));
        if (!flat) {
            world.team("r", guaranteed(9));
        }
        var a = flat ? "a" : "r/a";
        var others = List.of(flat ? "b" : "r/b", "c");
        int limit = random.nextInt(4) == 0 ? 6 : 12;
        world.team(a, guaranteed(8).limit(limit))
                .team(others.get(0), guaranteed(random.nextInt(2)))
                .team("c", guaranteed(2));
        int id = 10;
        int pair = random.nextInt(3) == 0 ? 1 : 0;
        if (pair > 0) {
            world.jobs(job(++id).team(others.get(0)).gpus(1).on("n1", "n2").started(ran(random)));
        }
        for (var name : NODES) {
            int left = name.equals("n3") ? 4 : 4 - pair;
            while (left > 0) {
                int gpus = 1 + random.nextInt(left);
                left -= gpus;
                var one = job(++id).gpus(gpus).on(name).started(ran(random)).priority(-10 * random.nextInt(3));
                var team = others.get(random.nextInt(2));
                switch (random.nextInt(10)) {
                    case 0 -> {} // free
                    case 1, 2 -> world.jobs(one.team(a).priority(-100));
                    case 3 -> world.jobs(one.team(team).stopping());
                    case 4 -> world.jobs(one.team(team).notPreemptible());
                    default -> world.jobs(one.team(team));
                }
            }
        }
        return world.jobs(beneficiary(random).team(a));
    }

    private static Job beneficiary(Random random) {
        var job = job(1);
        switch (random.nextInt(7)) {
            case 0 -> job.replicas(4).gpus(1 + random.nextInt(2)).slices(2, random.nextBoolean() ? "rack" : "node");
            case 1 ->
                job.group("large", 1, Resources.gpus(3 + random.nextInt(2)))
                        .group("small", 1 + random.nextInt(2), Resources.gpus(1));
            default -> job.replicas(1 + random.nextInt(2)).gpus(1 + random.nextInt(4));
        }
        switch (random.nextInt(5)) {
            case 0, 1 -> job.require("rack");
            case 2 -> job.require("node");
            default -> {}
        }
        return job;
    }

    private static Duration ran(Random random) {
        return Duration.ofMinutes(8 + random.nextInt(300));
    }

    private static Price price(List<RunningJob> victims) {
        int highest = Integer.MIN_VALUE;
        long lost = 0;
        for (var victim : victims) {
            highest = Math.max(highest, victim.facts().priority());
            lost += Duration.between(victim.startedAt(), NOW).toSeconds() * victim.gpusHeld();
        }
        return new Price(highest, lost);
    }

    /** 0: the same team, 1: another below the same team, 2: any other. */
    private static int distance(ClusterSnapshot snapshot, JobFacts victim, JobFacts claimant) {
        var parents = new HashMap<TeamId, TeamId>();
        snapshot.teams().forEach(t -> parents.put(t.id(), t.parent()));
        var above = parents.get(claimant.team());
        boolean beside = above != null && above.equals(parents.get(victim.team()));
        return victim.team().equals(claimant.team()) ? 0 : beside ? 1 : 2;
    }

    /** Who yields in the cheapest lawful plan; nobody when there is none. */
    private static List<RunningJob> cheapest(ClusterSnapshot snapshot) {
        var open = snapshot.running().stream()
                .filter(j -> j.facts().preemptible() && !j.leaving())
                .toList();
        var sets = new ArrayList<List<RunningJob>>();
        for (int bits = 1; bits < 1 << open.size(); bits++) {
            var set = new ArrayList<RunningJob>();
            for (int i = 0; i < open.size(); i++) {
                if ((bits >> i & 1) == 1) {
                    set.add(open.get(i));
                }
            }
            sets.add(set);
        }
        sets.sort(Comparator.comparing(CheapestVictimsTest::price));
        return sets.stream().filter(set -> isLawful(snapshot, set)).findFirst().orElse(List.of());
    }

    private static boolean isLawful(ClusterSnapshot snapshot, List<RunningJob> victims) {
        return places(snapshot, victims).stream().anyMatch(on -> isLawful(snapshot, victims, on));
    }

    /** Where the gang could lie, by number, once the victims, and those that leave already, are gone. */
    private static List<List<ReplicaPlacement>> places(ClusterSnapshot snapshot, List<RunningJob> victims) {
        var left = new HashMap<String, Integer>();
        NODES.forEach(n -> left.put(n, 4));
        for (var running : snapshot.running()) {
            if (!victims.contains(running) && !running.leaving()) {
                running.placements()
                        .forEach(p -> left.merge(p.node().value(), -p.amount().gpus(), Integer::sum));
            }
        }
        var places = new ArrayList<List<ReplicaPlacement>>();
        seat(snapshot.waiting().getFirst().facts().groups(), 0, 0, left, new ArrayList<>(), places);
        return places;
    }

    private static void seat(
            List<GroupShape> groups,
            int group,
            int index,
            Map<String, Integer> left,
            List<ReplicaPlacement> sofar,
            List<List<ReplicaPlacement>> places) {
        if (group == groups.size()) {
            places.add(List.copyOf(sofar));
            return;
        }
        var shape = groups.get(group);
        if (index == shape.replicas()) {
            seat(groups, group + 1, 0, left, sofar, places);
            return;
        }
        int each = shape.each().gpus();
        for (var node : NODES) {
            if (left.get(node) >= each) {
                left.merge(node, -each, Integer::sum);
                sofar.add(new ReplicaPlacement(shape.name(), index, new NodeId(node), shape.each()));
                seat(groups, group, index + 1, left, sofar, places);
                sofar.removeLast();
                left.merge(node, each, Integer::sum);
            }
        }
    }

    private static boolean isLawful(ClusterSnapshot snapshot, List<RunningJob> victims, List<ReplicaPlacement> places) {
        var facts = snapshot.waiting().getFirst().facts();
        int held = snapshot.running().stream()
                .filter(j -> j.facts().team().equals(facts.team()) && !j.leaving())
                .mapToInt(RunningJob::gpusHeld)
                .sum();
        var decisions = new ArrayList<Decision>();
        // In the order that allows most: those near the claimant's team first, as its side holds less then, the largest
        // last.
        var order = Comparator.comparingInt((RunningJob v) -> distance(snapshot, v.facts(), facts))
                .thenComparingInt(RunningJob::gpusHeld);
        victims.stream().sorted(order).forEach(victim -> {
            boolean own = victim.facts().team().equals(facts.team());
            decisions.add(new Decision.RequestCheckpoint(
                    victim.id(),
                    victim.attempt(),
                    BENEFICIARY,
                    own ? Cause.PREEMPTION : Cause.RECLAIM,
                    victim.gpusHeld(),
                    0,
                    held + facts.gpus() <= 8));
        });
        var ids = victims.stream().map(RunningJob::id).toList();
        decisions.add(new Decision.Reserve(BENEFICIARY, POOL, Decision.Reserve.Kind.VICTIMS, places, null, ids));
        return PlanVerifier.verify(snapshot, new SchedulingPlan(decisions, List.of(), List.of()))
                .isEmpty();
    }

    private static List<RunningJob> paid(Planned planned) {
        var victims = planned.victims();
        return planned.snapshot().running().stream()
                .filter(j -> victims.contains(j.id().value()))
                .toList();
    }

    /** Priorities of a set, the highest first. */
    private static List<Integer> priorities(List<RunningJob> victims) {
        return victims.stream()
                .map(v -> v.facts().priority())
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** The one lets more of the higher classes stay. */
    private static boolean isGentler(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            if (!one.get(i).equals(other.get(i))) {
                return one.get(i) < other.get(i);
            }
        }
        return one.size() < other.size();
    }

    /** In 1,500 worlds ({@code -Dmuster.worlds}) a set is missed once, and a higher class is asked once. */
    @Test
    void victimsAreTakenWhenTheRulesAllowItAndAreTheCheapestOrOfLowerClasses() {
        int sought = 0;
        int cheapest = 0;
        int dearer = 0;
        double costs = 0;
        var missed = new ArrayList<Integer>();
        for (int seed = 0; seed < WORLDS; seed++) {
            var planned = world(new Random(seed)).plan();
            if (!planned.started().isEmpty()
                    || !places(planned.snapshot(), List.of()).isEmpty()) {
                continue; // nobody needs to yield
            }
            var best = cheapest(planned.snapshot());
            var paid = paid(planned);
            assertThat(paid.isEmpty() || !best.isEmpty()).as("seed %d", seed).isTrue();
            sought += best.isEmpty() ? 0 : 1;
            if (paid.isEmpty() != best.isEmpty()) {
                missed.add(seed);
            } else if (!paid.isEmpty()) {
                boolean equal = price(paid).equals(price(best));
                cheapest += equal ? 1 : 0;
                dearer += equal || isGentler(priorities(paid), priorities(best)) ? 0 : 1;
                costs += (double) price(paid).lost() / price(best).lost();
            }
        }
        assertThat(sought).isGreaterThan(130);
        assertThat(missed.size() * 500)
                .as("somebody could yield, and nobody was asked: %s", missed)
                .isLessThanOrEqualTo(sought);
        assertThat(cheapest * 100).isGreaterThanOrEqualTo(sought * 96);
        assertThat(dearer * 50).isLessThanOrEqualTo(sought);
        assertThat(costs / sought).as("cost over that of the cheapest").isLessThan(1.02);
    }
}
