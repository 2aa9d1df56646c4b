/**
 * Owns expected starts: the scheduling core run ahead on a virtual clock, with run times drawn from what is known, and
 * what is learned from how earlier forecasts came out. Pure: equal snapshots, histories and seeds give equal forecasts.
 * It decides nothing; nothing of it is a promise.
 */
@NullMarked
package io.muster.forecast;

import org.jspecify.annotations.NullMarked;
