/**
 * Owns what machines there are: pools with their GPU types, topology levels and pod profile, and the nodes as observed.
 * What admins set (cordon, drain, quarantine) and what the cluster says (ready, allocatable) are kept apart on a node.
 * Every change is kept with its time.
 */
@NullMarked
package io.muster.inventory;

import org.jspecify.annotations.NullMarked;
