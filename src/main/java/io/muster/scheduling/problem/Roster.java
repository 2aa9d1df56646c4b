package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.model.TeamId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.plan.SetAside;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, kept from one snapshot to the next. Each has a number of its own as long as it waits, and stands in its team's
 * queue; what only time changes (a class earned by waiting, a patience or a backoff that is over) is looked at when it is
 * due. Numbers of those who are gone are given out again.
 */
final class Roster {
    private static final Comparator<WaitingJob> OLDEST =
            Comparator.comparing((WaitingJob job) -> job.facts().submittedAt()).thenComparing(WaitingJob::id);
    private static final int NOBODY = -1;
    /** How far the same job may have moved up in the list. */
    private static final int WINDOW = 64;
    /** Moments of jobs that are gone are thrown away once they are so many times those that matter. */
    private static final int MOST_STALE = 4;

    private final Reader reader;
    private WaitingJob[] jobs = {};
    private int[] numberAt = {};
    private @Nullable Claimant[] byNumber = {};
    private int count;
    private final BitSet unused = new BitSet();
    private final BitSet resting = new BitSet();
    private final Map<JobId, Claimant> byId = new HashMap<>();
    private final Map<TeamId, Integer> jobsOfTeam = new HashMap<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>(Due.FIRST);
    private final List<Integer> fresh = new ArrayList<>();
    private Queues queues = new Queues(0, 0);
    private @Nullable TeamTree tree;

    /** When something about a job changes with time alone. */
    private record Due(Instant at, WaitingJob job, int number) {
        static final Comparator<Due> FIRST = Comparator.comparing(Due::at);
    }

    Roster(Reader reader) {
        this.reader = reader;
    }

    /** Goes through both lists side by side; who is gone leaves. {@link #enter} reads those who are new. */
    void match(List<WaitingJob> now) {
        fresh.clear();
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
                fresh.add(j);
                jobsOfTeam.merge(job.facts().team(), at >= 0 ? 0 : 1, Integer::sum);
            }
        }
        for (; i < jobs.length; i++) {
            leave(i);
        }
        jobs = now.toArray(WaitingJob[]::new);
        numberAt = numbers;
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
        int number = numberAt[at];
        if (number != NOBODY) {
            var claimant = Objects.requireNonNull(byNumber[number]);
            dequeue(claimant);
            byNumber[number] = null;
            byId.remove(claimant.id());
            unused.set(number);
        }
    }

    /** Looks again at those for whom time has changed something; at all of them when the rules are others. */
    void goOn(TeamTree now, ClusterSnapshot snapshot, boolean sameRules) {
        if (tree == null) {
            queues = new Queues(reader.fleet().pools().size(), now.size());
        }
        tree = now;
        if (!sameRules || due.size() > MOST_STALE * (1_000 + byId.size())) {
            due.clear();
            for (int n = 0; n < count; n++) {
                refresh(byNumber[n], snapshot);
            }
        }
        for (var first = due.peek(); first != null && !snapshot.asOf().isBefore(first.at); first = due.peek()) {
            due.remove();
            var claimant = byNumber[first.number];
            if (claimant != null && claimant.job() == first.job) {
                refresh(claimant, snapshot);
            }
        }
    }

    private void refresh(@Nullable Claimant known, ClusterSnapshot snapshot) {
        if (known != null) {
            dequeue(known);
            keep(Objects.requireNonNull(read(known.job(), known.number(), snapshot)), snapshot);
        }
    }

    private @Nullable Claimant read(WaitingJob job, int number, ClusterSnapshot snapshot) {
        var teams = Objects.requireNonNull(tree);
        int priority = Aging.priority(job, Aging.order(job, teams), snapshot.settings(), snapshot.asOf());
        return reader.claimant(job, teams, number, priority, snapshot.asOf());
    }

    /** Reads those who are new. */
    void enter(Problem problem) {
        for (int at : fresh) {
            enter(at, problem);
        }
        // The list's own order means nothing.
        problem.neverFitting().sort(OLDEST);
        problem.setAside().sort(Comparator.comparing(SetAside::job));
    }

    /** Reads one waiting job; whatever it throws stays with it. */
    private void enter(int at, Problem problem) {
        var job = jobs[at];
        int number = unused.nextSetBit(0);
        number = number < 0 ? count : number;
        if (number == byNumber.length) {
            byNumber = Arrays.copyOf(byNumber, number + number / 2 + 16);
        }
        try {
            var claimant = read(job, number, problem.snapshot());
            if (claimant == null) {
                problem.neverFitting().add(job);
                return;
            }
            keep(claimant, problem.snapshot());
            numberAt[at] = number;
            unused.clear(number);
            count = Math.max(count, number + 1);
        } catch (RuntimeException e) {
            unused.set(number, number < count);
            problem.setAside(job.id(), e);
        }
    }

    /** Puts the job into its queue, and notes when to look at it again. */
    private void keep(Claimant claimant, ClusterSnapshot snapshot) {
        int number = claimant.number();
        var job = claimant.job();
        boolean rests = job.isResting(snapshot.asOf());
        resting.set(number, rests);
        if (!rests) {
            queues.add(claimant);
        }
        byNumber[number] = claimant;
        byId.put(claimant.id(), claimant);
        var order = Aging.order(job, Objects.requireNonNull(tree));
        note(claimant, Aging.earnedAt(job, order, snapshot.settings()), snapshot.asOf());
        note(claimant, job.patientUntil(), snapshot.asOf());
        note(claimant, job.backoff() == null ? null : job.backoff().until(), snapshot.asOf());
    }

    private void note(Claimant claimant, @Nullable Instant at, Instant asOf) {
        if (at != null && at.isAfter(asOf) && at.isBefore(Instant.MAX)) {
            due.add(new Due(at, claimant.job(), claimant.number()));
        }
    }

    private void dequeue(Claimant claimant) {
        if (!resting.get(claimant.number())) {
            queues.remove(claimant);
        }
    }

    Map<TeamId, Integer> jobsOfTeam() {
        return jobsOfTeam;
    }

    Map<JobId, Claimant> byId() {
        return byId;
    }

    Queues queues() {
        return queues;
    }

    /** Numbers of those in backoff. */
    BitSet resting() {
        return resting;
    }

    @Nullable Claimant get(int number) {
        return byNumber[number];
    }

    /** All numbers are below. */
    int count() {
        return count;
    }

    /** How many jobs stand in the list. */
    int size() {
        return jobs.length;
    }

    /** How many jobs of the last list were not known. */
    int readLately() {
        return fresh.size();
    }
}
