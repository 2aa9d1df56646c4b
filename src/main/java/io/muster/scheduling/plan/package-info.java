/**
 * Owns what the core answers: decisions without choices left to make, and the report that explains them.
 * Decisions stand in the order in which they were made; jobs that are not named keep what they have.
 * {@code PlanVerifier} checks every plan again with code of its own.
 */
@NullMarked
package io.muster.scheduling.plan;

import org.jspecify.annotations.NullMarked;
