package io.muster.scheduling.fairshare;

import io.muster.model.TeamId;
import io.muster.scheduling.snapshot.TeamView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The tree of teams in arrays. Entries are numbered parents first, then by path. An inner team with jobs of its own has
 * one more child that stands for those jobs.
 */
public final class TeamTree {
    /** The parent of the teams at the top. */
    public static final int NO_PARENT = -1;

    private final List<TeamView> teams = new ArrayList<>();
    private final List<Boolean> own = new ArrayList<>();
    private final Map<TeamId, Integer> numbers = new HashMap<>();
    private final Map<TeamId, Integer> leaves = new HashMap<>();
    private final int[] parent;
    private final int[] depth;
    private final int[][] children;
    private final int[] tops;

    public TeamTree(List<TeamView> views, Set<TeamId> withJobs) {
        var byId = new HashMap<TeamId, TeamView>();
        views.forEach(v -> byId.put(v.id(), v));
        var sorted = new ArrayList<>(views);
        sorted.sort(Comparator.comparingInt((TeamView v) -> depthOf(v, byId))
                .thenComparing(TeamView::path)
                .thenComparing(TeamView::id));
        var parents = new ArrayList<Integer>();
        for (var view : sorted) {
            var above = view.parent() == null ? null : numbers.get(view.parent());
            numbers.put(view.id(), add(view, false, above == null ? NO_PARENT : above, parents));
        }
        leaves.putAll(numbers);
        for (var view : sorted) {
            int number = number(view.id());
            if (withJobs.contains(view.id()) && parents.contains(number)) {
                leaves.put(view.id(), add(view, true, number, parents));
            }
        }
        parent = parents.stream().mapToInt(Integer::intValue).toArray();
        depth = new int[parent.length];
        for (int i = 0; i < parent.length; i++) {
            depth[i] = parent[i] == NO_PARENT ? 0 : depth[parent[i]] + 1;
        }
        var below = new ArrayList<List<Integer>>();
        for (int i = 0; i <= parent.length; i++) {
            below.add(new ArrayList<>(0));
        }
        for (int i = 0; i < parent.length; i++) {
            below.get(parent[i] == NO_PARENT ? parent.length : parent[i]).add(i);
        }
        children =
                below.subList(0, parent.length).stream().map(TeamTree::numbers).toArray(int[][]::new);
        tops = numbers(below.getLast());
    }

    private int add(TeamView view, boolean standsForOwnJobs, int above, List<Integer> parents) {
        teams.add(view);
        own.add(standsForOwnJobs);
        parents.add(above);
        return teams.size() - 1;
    }

    /** Steps to the top; bounded by the number of teams, so that a loop in the data cannot hang the plan. */
    private static int depthOf(TeamView view, Map<TeamId, TeamView> byId) {
        int depth = 0;
        var above = view.parent() == null ? null : byId.get(view.parent());
        while (above != null && depth < byId.size()) {
            depth++;
            above = above.parent() == null ? null : byId.get(above.parent());
        }
        return depth;
    }

    private static int[] numbers(List<Integer> entries) {
        return entries.stream().mapToInt(Integer::intValue).toArray();
    }

    /** True when the same number stands for a team of the same order in {@code other}. */
    public boolean hasSameOrders(TeamTree other) {
        boolean same = teams.size() == other.teams.size();
        for (int i = 0; same && i < teams.size(); i++) {
            same = teams.get(i).order() == other.teams.get(i).order();
        }
        return same;
    }

    /** True when the same number stands for a team with the same cap on its users in {@code other}. */
    public boolean hasSameCaps(TeamTree other) {
        boolean same = teams.size() == other.teams.size();
        for (int i = 0; same && i < teams.size(); i++) {
            same = Objects.equals(teams.get(i).userCap(), other.teams.get(i).userCap());
        }
        return same;
    }

    /** True when every team has the same number in {@code other}, whatever its quotas. */
    public boolean hasSameNumbers(TeamTree other) {
        return own.equals(other.own)
                && Arrays.equals(parent, other.parent)
                && numbers.equals(other.numbers)
                && leaves.equals(other.leaves);
    }

    public int size() {
        return parent.length;
    }

    public TeamView team(int number) {
        return teams.get(number);
    }

    /** True when the entry stands for the jobs that belong to an inner team itself. */
    public boolean isOwn(int number) {
        return own.get(number);
    }

    public int parent(int number) {
        return parent[number];
    }

    public int depth(int number) {
        return depth[number];
    }

    int[] children(int number) {
        return children[number];
    }

    /** The children of {@code number}, or the teams at the top for {@link #NO_PARENT}. */
    public int[] below(int number) {
        return number == NO_PARENT ? tops : children[number];
    }

    public boolean isLeaf(int number) {
        return children[number].length == 0;
    }

    /** The entry under which jobs of the team count, or -1 when the team is unknown (archived). */
    public int leaf(TeamId team) {
        return leaves.getOrDefault(team, -1);
    }

    /** The entry of the team itself, or -1. */
    public int number(TeamId team) {
        return numbers.getOrDefault(team, -1);
    }

    /** The lowest entry that has both below it, or {@link #NO_PARENT}. */
    public int commonAncestor(int a, int b) {
        int x = a;
        int y = b;
        while (x != y) {
            if (y == NO_PARENT || (x != NO_PARENT && depth[x] >= depth[y])) {
                x = parent[x];
            } else {
                y = parent[y];
            }
        }
        return x;
    }
}
