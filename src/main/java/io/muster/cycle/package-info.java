/**
 * Owns the loop: who of several servers leads, the picture of the world in memory, and each cycle's phases: look, keep
 * deadlines, plan, verify, commit. Whatever goes wrong in a cycle, the next one begins with a picture made anew.
 * It also answers questions about jobs that do not exist yet, from the same picture and by the same core.
 */
@NullMarked
package io.muster.cycle;

import org.jspecify.annotations.NullMarked;
