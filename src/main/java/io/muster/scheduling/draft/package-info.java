/**
 * Owns the plan in the making: what is free on nodes, what counts in shares, who runs until when, what was decided.
 * Every stage reads and changes these together through {@code Draft}, so that no two of them can disagree.
 * Nothing here chooses; the stages do.
 */
@NullMarked
package io.muster.scheduling.draft;

import org.jspecify.annotations.NullMarked;
