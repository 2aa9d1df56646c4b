/**
 * Owns saying why: reasons and remedies, which are data everywhere else, become views with names and a sentence each.
 * Ids turn into names for those who may know them, per reader.
 * The web UI makes its own sentences of the same numbers; these are for command lines and logs.
 */
@NullMarked
package io.muster.web.reason;

import org.jspecify.annotations.NullMarked;
