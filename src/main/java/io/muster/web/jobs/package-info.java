/**
 * Owns jobs over HTTP: submitting, listing, reading, editing and acting, the queue, logs, and what a program in a job
 * asks and tells.
 * What others than the job's team may see is decided by the views here, in one place.
 * It stores nothing and decides nothing: services of the job module do.
 */
@NullMarked
package io.muster.web.jobs;

import org.jspecify.annotations.NullMarked;
