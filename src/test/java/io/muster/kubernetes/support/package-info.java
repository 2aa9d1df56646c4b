/**
 * A real Kubernetes for tests: an API server that accepts or refuses as any API server does. {@link RealCluster} finds
 * or starts one for the whole JVM. Its nodes are played by KWOK, so that a fleet of hundreds of GPUs costs nothing.
 */
@NullMarked
package io.muster.kubernetes.support;

import org.jspecify.annotations.NullMarked;
