/**
 * What tests of several modules share: the database. It owns one Postgres per test JVM and hands out migrated copies of
 * one template. Nothing in production code may depend on it.
 */
@NullMarked
package io.muster.support;

import org.jspecify.annotations.NullMarked;
