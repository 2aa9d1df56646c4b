/**
 * Owns the way to the cluster and back: an outbox of commands, written in the transaction of the change that needs them,
 * workers that carry them out, and the observer that turns what the cluster says into lifecycle events. It decides
 * nothing about who runs where. Commands may be carried out twice and facts may come twice; neither does harm.
 */
@NullMarked
package io.muster.dispatch;

import org.jspecify.annotations.NullMarked;
