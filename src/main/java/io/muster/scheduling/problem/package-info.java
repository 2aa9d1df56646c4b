/**
 * Owns the snapshot in the form that the stages compute with: teams, users, nodes and jobs as numbers, what jobs may use
 * as lists of partitions, every list in a total order that does not depend on the order of the input.
 * A waiting job that cannot be read is set aside here with its error, so that the others are planned.
 * {@code Memory} reads of the next snapshot only what is another object than before (Armada's job database and Kueue's
 * cache keep copies up to date by events; here the snapshot stays the only truth).
 */
@NullMarked
package io.muster.scheduling.problem;

import org.jspecify.annotations.NullMarked;
