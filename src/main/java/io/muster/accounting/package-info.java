/**
 * Owns what was used: GPU-seconds and money by day, team, user and pool, what of it was lost, and the decayed use that
 * bends the surplus of the shares. All numbers follow from the ledger of replicas: they are summed anew and the
 * difference is booked, so that booking twice, late or after a crash comes out the same.
 */
@NullMarked
package io.muster.accounting;

import org.jspecify.annotations.NullMarked;
