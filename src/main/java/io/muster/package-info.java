/**
 * The server's entry point, and nothing else. Each package below this one is a module with one concern and an
 * explicit list of modules it may use. That list is data, in the architecture test.
 */
@NullMarked
package io.muster;

import org.jspecify.annotations.NullMarked;
