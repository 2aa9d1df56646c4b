package io.muster.scheduling;

/**
 * How much a pass looked at.
 *
 * @param considered jobs that had a turn of their own; the others were spoken for by one of their kind
 * @param places how often a free place was looked for
 * @param victims how often victims were looked for
 */
record Effort(long considered, long places, long victims) {}
