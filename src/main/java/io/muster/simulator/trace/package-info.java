/**
 * Owns the reading of recorded workloads: one reader per format, all to the same list of jobs.
 * What a reader cannot map it says with the line and the reason; nothing is dropped or changed in silence.
 * Equal text gives equal jobs, in a total order: by submit time, then by line.
 */
@NullMarked
package io.muster.simulator.trace;

import org.jspecify.annotations.NullMarked;
