/**
 * Owns the decision which jobs run where and when: {@code Scheduler.plan(snapshot) -> plan}, a pure function.
 * Stages stand in packages of their own, in this order: snapshot, fairshare, ordering, topology, placement, preemption,
 * backfill, plan. Nothing here knows a clock, a database, a cluster or a logger.
 */
@NullMarked
package io.muster.scheduling;

import org.jspecify.annotations.NullMarked;
