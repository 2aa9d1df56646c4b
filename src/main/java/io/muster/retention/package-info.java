/**
 * Owns how long things are kept that only grow, and when they go: in small batches, beside everything else.
 * What a shelf holds and how it is found is its owner's; this package knows how long, how much at once and whose turn it
 * is. The trail of audit is on no shelf: it stays.
 */
@NullMarked
package io.muster.retention;

import org.jspecify.annotations.NullMarked;
