/**
 * Owns what people decided about scheduling: revisions of the policy, priority classes and the operating mode.
 * Every change is a new row with who, when and why, so that any week can be replayed.
 * It decides nothing itself: the loop reads it and hands it to the core.
 */
@NullMarked
package io.muster.policy;

import org.jspecify.annotations.NullMarked;
