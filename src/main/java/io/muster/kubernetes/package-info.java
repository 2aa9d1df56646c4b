/**
 * Owns Muster's life on a Kubernetes cluster: the one importer of fabric8. It makes and deletes the objects of an
 * attempt, and tells of nodes, pods, what others hold of a node, and what programs print. It decides nothing: every
 * name is determined by the attempt, so that any call may be repeated.
 */
@NullMarked
package io.muster.kubernetes;

import org.jspecify.annotations.NullMarked;
