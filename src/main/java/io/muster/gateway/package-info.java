/**
 * Owns the ports between Muster and a cluster: commands go out by {@link ClusterGateway}, facts come in by
 * {@link ClusterObserver}. Two implementations, the virtual cluster and Kubernetes, are held to one contract test.
 * Commands are repeatable and facts are idempotent, so that either side may be restarted at any moment.
 */
@NullMarked
package io.muster.gateway;

import org.jspecify.annotations.NullMarked;
