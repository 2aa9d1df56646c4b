/**
 * Owns what goes over HTTP: controllers, request and response records, problems, server-sent events.
 * It redacts per reader and turns ids into names; it decides nothing and never calls a cluster.
 * It uses every module's public records, never their JPA.
 */
@NullMarked
package io.muster.web;

import org.jspecify.annotations.NullMarked;
