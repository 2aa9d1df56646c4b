package io.muster.scheduling.ordering;

import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Run times learned from jobs that ended, kind by kind.
 *
 * <p>Goal: what one more end costs in running time, for a job of this kind that has run that long and not ended: the
 * inverse of its Gittins index (Gittins 1979; Tiresias uses it for GPU jobs). Constraints: a kind is a path from the
 * general to the special; what is rare leans on what is common, and with no history at all a job that has had more costs
 * more, as under least attained service. Algorithm: hazards in logarithmic classes of age, each level's estimate the
 * prior of the next; the index is the best ratio of chance to time over all horizons.
 */
public final class RunTimeHistory {
    /** The first class ends here; each later one is {@code RATIO} times as long a life. */
    private static final double FIRST_SECONDS = 60;

    private static final double RATIO = Math.sqrt(2);
    /** How many classes of age there are. */
    public static final int CLASSES = 40;

    /** Chance to end in a class when nothing is known: a Pareto tail of this exponent. */
    private static final double TAIL = 1.2;
    /** Chance to end in the first class, which is all that is shorter than it is worth telling apart. */
    private static final double FIRST_CHANCE = 0.5;

    /** A level with so many jobs at risk counts as much as the level above it. */
    private static final double TRUST = 10;

    private static final double[] EDGES = edges();

    private final double tail;
    private final double trust;
    private final Map<String, Level> levels = new HashMap<>();

    private static final class Level {
        final int[] ended = new int[CLASSES];
        final int[] atRisk = new int[CLASSES];
        final double[] costs = new double[CLASSES];
        int count;
        int costsAt = -1;
    }

    /** A job's kind, from the general to the special: all jobs, those of so many GPUs, of the team, of the user. */
    public static List<String> kinds(int gpus, TeamId team, UserId user) {
        String size = gpus + " GPUs";
        String ofTeam = size + " of " + team;
        return List.of("", size, ofTeam, ofTeam + " by " + user);
    }

    public RunTimeHistory() {
        this(TAIL, TRUST);
    }

    /**
     * With other assumptions.
     *
     * @param tail exponent of the Pareto tail that is assumed before anything is known
     * @param trust jobs at risk that count as much as the level above
     */
    public RunTimeHistory(double tail, double trust) {
        this.tail = tail;
        this.trust = trust;
    }

    private static double[] edges() {
        var edges = new double[CLASSES];
        for (int i = 0; i < CLASSES; i++) edges[i] = FIRST_SECONDS * Math.pow(RATIO, i);
        return edges;
    }

    /**
     * Learns that a job ended.
     *
     * @param kinds its kind, from the general to the special
     * @param ran its whole running time
     */
    public void ended(List<String> kinds, Duration ran) {
        int last = ageClass(ran);
        for (var kind : kinds) {
            var level = levels.computeIfAbsent(kind, k -> new Level());
            for (int i = 0; i <= last; i++) level.atRisk[i]++;
            level.ended[last]++;
            level.count++;
        }
    }

    /** Seconds of running that one more end costs for a job of this kind that has run so long, at best. */
    public double cost(List<String> kinds, Duration ran) {
        var own = levels.get(kinds.getLast());
        if (own == null) {
            return kinds.size() > 1 ? cost(kinds.subList(0, kinds.size() - 1), ran) : priorCosts()[ageClass(ran)];
        }
        // Costs of a kind change little by one more job: they are computed anew when a twentieth has been added.
        if (own.costsAt < 0 || own.count - own.costsAt > own.costsAt / 20) {
            costs(hazards(kinds), own.costs);
            own.costsAt = own.count;
        }
        return own.costs[ageClass(ran)];
    }

    /** How many jobs have ended. */
    public int size() {
        var all = levels.get("");
        return all == null ? 0 : all.count;
    }

    /**
     * Learns that a job has run so long and not ended yet; without those, history would know only what is short.
     *
     * @param kinds its kind, from the general to the special
     */
    public void stillRuns(List<String> kinds, Duration ran) {
        int now = ageClass(ran);
        for (var kind : kinds) {
            var level = levels.computeIfAbsent(kind, k -> new Level());
            for (int i = 0; i < now; i++) level.atRisk[i]++;
        }
    }

    /**
     * How long a job of this kind that has run for {@code ran} still runs, at a quantile.
     *
     * @param quantile between 0 and 1: so many of its like end sooner
     */
    public Duration remaining(List<String> kinds, Duration ran, double quantile) {
        var hazards = hazards(kinds);
        double age = ran.toMillis() / 1000.0;
        double alive = 1;
        double from = age;
        for (int i = ageClass(ran); i < CLASSES; i++) {
            double length = EDGES[i] - (i == 0 ? 0 : EDGES[i - 1]);
            // Ends are spread evenly over a class: of the first one only the rest is ahead.
            double ahead = (EDGES[i] - from) / length;
            double ends = hazards[i] * ahead / (1 - hazards[i] * (1 - ahead));
            if (1 - alive * (1 - ends) >= quantile) {
                double part = (quantile - (1 - alive)) / (alive * ends);
                return Duration.ofMillis(Math.max(1, Math.round((from - age + part * (EDGES[i] - from)) * 1000)));
            }
            alive *= 1 - ends;
            from = EDGES[i];
        }
        return Duration.ofMillis(Math.max(1, Math.round((from - age) * 1000)));
    }

    /** How long a job that has run for {@code ran} runs until its cost changes. */
    public static Duration untilChange(Duration ran) {
        double left = EDGES[ageClass(ran)] - ran.toMillis() / 1000.0;
        return Duration.ofMillis(Math.max(1, (long) Math.ceil(left * 1000)));
    }

    private double[] priorCosts() {
        var costs = new double[CLASSES];
        costs(priorHazards(), costs);
        return costs;
    }

    private double[] priorHazards() {
        var hazards = new double[CLASSES];
        Arrays.fill(hazards, 1 - Math.pow(RATIO, -tail));
        hazards[0] = FIRST_CHANCE;
        return hazards;
    }

    private double[] hazards(List<String> kinds) {
        var hazards = priorHazards();
        for (var kind : kinds) {
            var level = levels.get(kind);
            if (level == null) break;
            for (int i = 0; i < CLASSES; i++) {
                hazards[i] = (level.ended[i] + trust * hazards[i]) / (level.atRisk[i] + trust);
            }
        }
        return hazards;
    }

    /** From each class on, the least expected time per end over all horizons. */
    private static void costs(double[] hazards, double[] costs) {
        for (int from = 0; from < CLASSES; from++) {
            double alive = 1;
            double time = 0;
            double best = Double.MAX_VALUE;
            for (int i = from; i < CLASSES; i++) {
                double length = EDGES[i] - (i == 0 ? 0 : EDGES[i - 1]);
                // Those that end in a class end in its middle.
                time += alive * (1 - hazards[i] / 2) * length;
                alive *= 1 - hazards[i];
                if (alive < 1) best = Math.min(best, time / (1 - alive));
            }
            costs[from] = best;
        }
    }

    private static int ageClass(Duration ran) {
        double seconds = ran.toMillis() / 1000.0;
        int at = Arrays.binarySearch(EDGES, seconds);
        return Math.min(CLASSES - 1, at >= 0 ? at + 1 : -at - 1);
    }
}
