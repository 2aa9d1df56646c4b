/**
 * Owns what people were told of expected starts, how it came out, and what the next forecasts learn from that.
 * The forecasts themselves are made by {@code forecast}, on behalf of the cycle; here is the memory.
 * Each wait is judged by the first forecast that was told of it, not by the last before the start.
 */
@NullMarked
package io.muster.calibration;

import org.jspecify.annotations.NullMarked;
