package io.muster.scheduling.problem;

import io.muster.model.TeamId;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.topology.Fleet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the last snapshot, so that of the next only what is new is read. A job, a node or a team that is the
 * same object says the same, since all of them are immutable. Whether anything is remembered changes nothing in the
 * problem but the numbers given to jobs. A problem is good until the next snapshot is read.
 */
public final class Memory {
    /** Forgotten once so many times as much is known as is needed. */
    private static final int MOST_UNUSED = 4;

    private @Nullable Reader reader;
    private @Nullable Roster roster;
    private @Nullable TeamTree tree;
    private @Nullable ClusterSnapshot last;
    private Occupants occupants = Occupants.NONE;
    private long readings;

    /** Reads a snapshot. */
    public Problem read(ClusterSnapshot snapshot) {
        readings++;
        var fleet = fleet(snapshot);
        if (reader == null || reader.fleet() != fleet || reader.size() > MOST_UNUSED * (1_000 + roster().size())) {
            forget(fleet);
        }
        roster().match(snapshot.waiting());
        var teams = new TeamTree(snapshot.teams(), teamsWithJobs(snapshot));
        if (tree != null && !tree.hasSameNumbers(teams)) {
            forget(fleet);
            roster().match(snapshot.waiting());
        }
        roster().goOn(teams, snapshot, hasSameRules(teams, snapshot));
        tree = teams;
        var problem = new Problem(snapshot, Objects.requireNonNull(reader), teams, roster(), occupants);
        roster().enter(problem);
        problem.goodWhile(this, readings);
        occupants = problem.held();
        last = snapshot;
        return problem;
    }

    /** Time goes on, and nothing but time changes what was read of a job. */
    private boolean hasSameRules(TeamTree teams, ClusterSnapshot snapshot) {
        return last != null
                && tree != null
                && tree.hasSameOrders(teams)
                && tree.hasSameCaps(teams)
                && last.settings().equals(snapshot.settings())
                && !snapshot.asOf().isBefore(last.asOf());
    }

    long readings() {
        return readings;
    }

    /** How many waiting jobs of the last snapshot had to be read. */
    int readLately() {
        return roster().readLately();
    }

    private Roster roster() {
        return Objects.requireNonNull(roster);
    }

    private void forget(Fleet fleet) {
        reader = new Reader(fleet);
        roster = new Roster(reader);
        tree = null;
        occupants = Occupants.NONE;
    }

    /** The fleet of before as long as it has the same nodes; rates change nothing in it. */
    private Fleet fleet(ClusterSnapshot snapshot) {
        return last != null && reader != null && SameFleet.in(last, snapshot)
                ? reader.fleet()
                : new Fleet(snapshot.pools(), snapshot.nodes());
    }

    private Set<TeamId> teamsWithJobs(ClusterSnapshot snapshot) {
        var teams = new HashSet<>(roster().jobsOfTeam().keySet());
        snapshot.running().forEach(r -> teams.add(r.facts().team()));
        return teams;
    }
}
