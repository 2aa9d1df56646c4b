/**
 * The stories that must be shown, end to end: a whole server, REST from outside, a cluster behind it.
 * Each test is one story; what it needs of teams, users and quotas it sets up through REST as an admin would.
 * At every look the ledger is checked too: no node over its GPUs, no gang in part, no job with two live attempts.
 */
@NullMarked
package io.muster.story;

import org.jspecify.annotations.NullMarked;
