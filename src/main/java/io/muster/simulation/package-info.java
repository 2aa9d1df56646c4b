/**
 * Owns the pure model of a cluster that does not exist: its fleet, its pods, what they train, save, log and how they
 * end. Everything is a function of rows and an instant, so that any server can
 * go on where another stopped and would tell the same story. Nothing here knows of a database, a framework or the
 * time of day.
 */
@NullMarked
package io.muster.simulation;

import org.jspecify.annotations.NullMarked;
