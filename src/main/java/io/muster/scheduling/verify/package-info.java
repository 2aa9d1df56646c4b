/**
 * Owns the second look at a plan: every rule that must hold, checked one by one against the snapshot.
 * It shares no code with the stages that made the plan and prefers plain loops over quick ones.
 * A breach names the decision at fault, so that one bad decision can be dropped and the rest carried out.
 */
@NullMarked
package io.muster.scheduling.verify;

import org.jspecify.annotations.NullMarked;
