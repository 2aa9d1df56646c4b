/**
 * Owns how the server says no: RFC 9457 problems with a stable type, every field at fault, and reasons as data.
 * Nothing inside leaks out: what nobody expected is logged and answered as a bare 500.
 * It also owns what all controllers share about requests: cursors, ETags and limits of pages.
 */
@NullMarked
package io.muster.web.problem;

import org.jspecify.annotations.NullMarked;
