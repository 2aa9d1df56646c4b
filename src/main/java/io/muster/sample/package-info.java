/**
 * Owns what a newcomer sees before having done anything: sample teams, people and quotas, written once on an empty
 * embedded database, with a sign-in for one of them, and a stream of sample jobs on the virtual cluster. It uses what any
 * client could use and has no rows of its own. It is off wherever a database or a cluster was configured.
 */
@NullMarked
package io.muster.sample;

import org.jspecify.annotations.NullMarked;
