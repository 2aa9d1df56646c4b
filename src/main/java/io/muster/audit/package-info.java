/**
 * Owns the append-only trail: who did what, when, to what, with before and after.
 * Rows are written in the transaction of the change itself, so that there is no change without its row.
 * Nothing here is ever updated or deleted by the server.
 */
@NullMarked
package io.muster.audit;

import org.jspecify.annotations.NullMarked;
