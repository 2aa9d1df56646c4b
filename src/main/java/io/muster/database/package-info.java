/**
 * The database of a server that was given none: a Postgres of its own, kept in the data folder. It owns that folder, its
 * lock, its password and the Postgres process, from before the first connection until after the last one. For every
 * database it owns {@link Followed}: how a cache follows what any server changes.
 */
@NullMarked
package io.muster.database;

import org.jspecify.annotations.NullMarked;
