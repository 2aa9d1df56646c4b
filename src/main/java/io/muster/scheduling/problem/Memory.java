package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.model.TeamId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the last snapshot, so that of the next only what is new is read. A job, a node or a team that is the
 * same object says the same, since all of them are immutable. Whether anything is remembered changes nothing in the
 * problem but the numbers given to jobs, and not their order.
 */
public final class Memory {
    private static final Comparator<WaitingJob> OLDEST = (a, b) -> {
        int order = a.facts().submittedAt().compareTo(b.facts().submittedAt());
        return order != 0 ? order : a.id().compareTo(b.id());
    };
    private static final int NOBODY = -1;
    /** How far the same job may have moved up in the list. */
    private static final int WINDOW = 64;
    /** Forgotten once so many times as much is known as is needed. */
    private static final int MOST_UNUSED = 4;

    private @Nullable Reader reader;
    private @Nullable TeamTree tree;
    private @Nullable ClusterSnapshot last;
    private Instant nextAging = Instant.MIN;
    private WaitingJob[] jobs = {};
    private int[] numberAt = {};
    private @Nullable Claimant[] byNumber = {};
    private int count;
    private Map<JobId, Claimant> byId = new HashMap<>();
    private final Map<TeamId, Integer> jobsOfTeam = new HashMap<>();
    private Map<JobId, Occupant> occupants = Map.of();
    private int readLately;

    /** Jobs that were not claimants before, by their place in the snapshot's list. */
    private record Fresh(int at, WaitingJob job) {
        static final Comparator<Fresh> ORDER = Comparator.comparing(Fresh::job, OLDEST);
    }

    /** Reads a snapshot. */
    public Problem read(ClusterSnapshot snapshot) {
        var fleet = fleet(snapshot);
        if (reader == null || reader.fleet() != fleet || reader.size() > MOST_UNUSED * (1_000 + jobs.length)) {
            forget(fleet);
        }
        var fresh = match(snapshot.waiting());
        var teams = new TeamTree(snapshot.teams(), teamsWithJobs(snapshot));
        if (tree != null && !tree.hasSameNumbers(teams)) {
            forget(fleet);
            fresh = match(snapshot.waiting());
        }
        boolean sameOrders = tree != null && tree.hasSameOrders(teams);
        tree = teams;
        age(snapshot, sameOrders);
        var problem = new Problem(snapshot, reader(), teams, occupants);
        enter(fresh, problem);
        readLately = fresh.size();
        problem.wait(claimants(), byId, count);
        occupants = problem.occupantsById();
        last = snapshot;
        return problem;
    }

    private TeamTree tree() {
        return Objects.requireNonNull(tree);
    }

    /** How many waiting jobs of the last snapshot had to be read. */
    int readLately() {
        return readLately;
    }

    private Reader reader() {
        return Objects.requireNonNull(reader);
    }

    private void forget(Fleet fleet) {
        reader = new Reader(fleet);
        tree = null;
        nextAging = Instant.MIN;
        jobs = new WaitingJob[0];
        numberAt = new int[0];
        byNumber = new Claimant[0];
        count = 0;
        byId = new HashMap<>();
        jobsOfTeam.clear();
        occupants = Map.of();
    }

    /** The fleet of before as long as it has the same nodes; rates change nothing in it. */
    private Fleet fleet(ClusterSnapshot snapshot) {
        return last != null && reader != null && SameFleet.in(last, snapshot)
                ? reader.fleet()
                : new Fleet(snapshot.pools(), snapshot.nodes());
    }

    /** Goes through both lists side by side; who is gone loses its number. */
    private List<Fresh> match(List<WaitingJob> now) {
        var fresh = new ArrayList<Fresh>();
        int[] numbers = new int[now.size()];
        int i = 0;
        for (int j = 0; j < numbers.length; j++) {
            var job = now.get(j);
            int at = find(job, i);
            for (; i < at; i++) {
                leave(i);
            }
            if (at >= 0 && numberAt[at] != NOBODY) {
                numbers[j] = numberAt[at];
                i++;
            } else {
                i += at >= 0 ? 1 : 0;
                numbers[j] = NOBODY;
                fresh.add(new Fresh(j, job));
                jobsOfTeam.merge(job.facts().team(), at >= 0 ? 0 : 1, Integer::sum);
            }
        }
        for (; i < jobs.length; i++) {
            leave(i);
        }
        jobs = now.toArray(WaitingJob[]::new);
        numberAt = numbers;
        return fresh;
    }

    /** Where the job stood before, from {@code from} on and not far; -1: nowhere there. */
    private int find(WaitingJob job, int from) {
        int to = Math.min(jobs.length, from + WINDOW);
        for (int i = from; i < to; i++) {
            if (jobs[i] == job) {
                return i;
            }
        }
        return NOBODY;
    }

    private void leave(int at) {
        jobsOfTeam.merge(jobs[at].facts().team(), -1, (a, b) -> a + b == 0 ? null : a + b);
        if (numberAt[at] != NOBODY) {
            var claimant = Objects.requireNonNull(byNumber[numberAt[at]]);
            byNumber[numberAt[at]] = null;
            byId.remove(claimant.id());
        }
    }

    private Set<TeamId> teamsWithJobs(ClusterSnapshot snapshot) {
        var teams = new HashSet<>(jobsOfTeam.keySet());
        snapshot.running().forEach(r -> teams.add(r.facts().team()));
        return teams;
    }

    /** Waiting may have raised the priority of some since the last time. */
    private void age(ClusterSnapshot snapshot, boolean sameOrders) {
        boolean sameRules = last != null
                && sameOrders
                && last.settings().equals(snapshot.settings())
                && !snapshot.asOf().isBefore(last.asOf());
        if (sameRules && snapshot.asOf().isBefore(nextAging)) {
            return;
        }
        nextAging = Instant.MAX;
        for (int n = 0; n < count; n++) {
            var claimant = byNumber[n];
            if (claimant != null) {
                int priority = priority(claimant.job(), snapshot);
                if (priority != claimant.priority()) {
                    keep(Objects.requireNonNull(
                            reader().claimant(claimant.job(), tree(), claimant.number(), priority)));
                }
            }
        }
    }

    private int priority(WaitingJob job, ClusterSnapshot snapshot) {
        var order = Aging.order(job, Objects.requireNonNull(tree));
        var at = Aging.earnedAt(job, order, snapshot.settings());
        boolean earned = !snapshot.asOf().isBefore(at);
        if (!earned && at.isBefore(nextAging)) {
            nextAging = at;
        }
        return job.facts().priority() + (earned ? snapshot.settings().agingMost() : 0);
    }

    private void keep(Claimant claimant) {
        byNumber[claimant.number()] = claimant;
        byId.put(claimant.id(), claimant);
    }

    /** Reads those that are new; they stand behind all others, or all are numbered anew. */
    private void enter(List<Fresh> fresh, Problem problem) {
        if (fresh.isEmpty()) {
            return;
        }
        fresh.sort(Fresh.ORDER);
        int[] numbers = new int[fresh.size()];
        boolean sparse = count + numbers.length > MOST_UNUSED * (1_000 + jobs.length);
        if (sparse || !standsBehind(fresh.getFirst().job)) {
            numberAnew(fresh, numbers);
        } else {
            Arrays.setAll(numbers, k -> count + k);
            count += numbers.length;
            if (byNumber.length < count) {
                byNumber = Arrays.copyOf(byNumber, count + count / 2);
            }
        }
        for (int k = 0; k < numbers.length; k++) {
            enter(fresh.get(k), numbers[k], problem);
        }
    }

    private boolean standsBehind(WaitingJob job) {
        for (int n = count - 1; n >= 0; n--) {
            var youngest = byNumber[n];
            if (youngest != null) {
                return OLDEST.compare(youngest.job(), job) < 0;
            }
        }
        return true;
    }

    private void numberAnew(List<Fresh> fresh, int[] numbers) {
        var before = byNumber;
        int[] moved = new int[count];
        byNumber = new Claimant[byId.size() + numbers.length];
        int next = 0;
        int f = 0;
        for (int n = 0; n < moved.length; n++) {
            var claimant = before[n];
            if (claimant != null) {
                for (; f < numbers.length && OLDEST.compare(fresh.get(f).job, claimant.job()) < 0; f++) {
                    numbers[f] = next++;
                }
                moved[n] = next;
                byNumber[next] = claimant.numbered(next++);
            }
        }
        for (; f < numbers.length; f++) {
            numbers[f] = next++;
        }
        count = next;
        byId.replaceAll((id, claimant) -> Objects.requireNonNull(byNumber[moved[claimant.number()]]));
        for (int at = 0; at < numberAt.length; at++) {
            numberAt[at] = numberAt[at] == NOBODY ? NOBODY : moved[numberAt[at]];
        }
    }

    /** Reads one waiting job; whatever it throws stays with it. */
    private void enter(Fresh fresh, int number, Problem problem) {
        try {
            int priority = priority(fresh.job, problem.snapshot());
            var claimant = reader().claimant(fresh.job, problem.tree(), number, priority);
            if (claimant == null) {
                problem.neverFitting().add(fresh.job);
            } else {
                keep(claimant);
                numberAt[fresh.at] = number;
            }
        } catch (RuntimeException e) {
            problem.setAside(fresh.job.id(), e);
        }
    }

    /** By submit time, then id. */
    private List<Claimant> claimants() {
        var all = new ArrayList<Claimant>(byId.size());
        for (int n = 0; n < count; n++) {
            var claimant = byNumber[n];
            if (claimant != null) {
                all.add(claimant);
            }
        }
        return all;
    }
}
