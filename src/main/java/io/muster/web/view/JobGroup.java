package io.muster.web.view;

/**
 * Jobs of a list that have something in common.
 *
 * @param key path of their team, name of their state, of who submitted them, or of their priority class
 * @param gpusInUse of those that start, run or stop
 * @param gpusWanted of those that wait
 */
public record JobGroup(String key, int jobs, int waiting, int active, long gpusInUse, long gpusWanted) {}
