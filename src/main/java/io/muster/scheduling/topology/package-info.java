/**
 * Goal: one picture of the fleet in which "all nodes of this domain" is a range of an array.
 * Constraints: levels are data, trees may lack labels, nodes may differ in size; a domain is its full path.
 * Algorithm: nodes of one pool and one GPU type are sorted by path, so that every domain of every level is contiguous
 * and prefix sums answer for any of them; the idea of sorted topology comes from Slurm's block plugin and HiveD's cells.
 */
@NullMarked
package io.muster.scheduling.topology;

import org.jspecify.annotations.NullMarked;
