/**
 * Owns server-sent events: who listens, what they may hear, and how a slow or unwelcome listener is let go.
 * Every stream has a bounded buffer; who falls behind is told to read again rather than kept waiting for.
 * The events themselves are the job module's; notifications only wake, the tables tell.
 */
@NullMarked
package io.muster.web.live;

import org.jspecify.annotations.NullMarked;
