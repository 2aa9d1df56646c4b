package io.muster.simulator.engine;

import java.util.Arrays;

/** What was used and who waited, as a step function of time: one row for each instant at which it changed. */
public final class Timeline {
    private static final int FIRST = 1024;
    private static final int AMOUNTS = 4;

    private final int teams;
    private long[] at = new long[FIRST];
    private int[] amounts = new int[FIRST * AMOUNTS];
    private int[] byTeam;
    private int size;

    Timeline(int teams) {
        this.teams = teams;
        byTeam = new int[FIRST * teams];
    }

    void note(World world) {
        if (size == at.length) {
            at = Arrays.copyOf(at, size * 2);
            amounts = Arrays.copyOf(amounts, size * 2 * AMOUNTS);
            byTeam = Arrays.copyOf(byTeam, size * 2 * teams);
        }
        at[size] = world.now();
        int row = size * AMOUNTS;
        amounts[row] = world.usedGpus();
        amounts[row + 1] = world.waiting().size();
        amounts[row + 2] = world.waitingGpus();
        amounts[row + 3] = world.brokenGpus();
        for (int t = 0; t < teams; t++) byTeam[size * teams + t] = world.teamGpus(t);
        size++;
    }

    public int size() {
        return size;
    }

    public int teams() {
        return teams;
    }

    /** From when on row {@code i} holds. */
    public long at(int i) {
        return at[i];
    }

    public int usedGpus(int i) {
        return amounts[i * AMOUNTS];
    }

    public int waitingJobs(int i) {
        return amounts[i * AMOUNTS + 1];
    }

    public int waitingGpus(int i) {
        return amounts[i * AMOUNTS + 2];
    }

    /** Free GPUs of nodes that are used in part. */
    public int brokenGpus(int i) {
        return amounts[i * AMOUNTS + 3];
    }

    public int teamGpus(int i, int team) {
        return byTeam[i * teams + team];
    }
}
