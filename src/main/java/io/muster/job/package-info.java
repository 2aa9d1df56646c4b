/**
 * Owns jobs: the document and its validation, submission, attempts, replicas, checkpoints, events and logs.
 * A job's state changes only through {@link JobLedger}, by a compare-and-set that asks the lifecycle; every change leaves
 * an event. What must happen on a cluster because of it is told as an application event, in the same transaction.
 */
@NullMarked
package io.muster.job;

import org.jspecify.annotations.NullMarked;
