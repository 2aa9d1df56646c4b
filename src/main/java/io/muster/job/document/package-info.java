/**
 * Owns reading the job document as people write it: JSON and YAML into one tree that knows lines and columns, and the
 * tree into typed fields, every field at fault reported at once.
 * All sizes are bounded here, before anything else looks at what somebody sent.
 * It knows no teams, pools or policy: what depends on those is checked by the module's own root.
 */
@NullMarked
package io.muster.job.document;

import org.jspecify.annotations.NullMarked;
