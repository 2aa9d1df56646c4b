/**
 * Owns who there is: the tree of teams, users and service accounts, memberships with roles, quotas and team defaults.
 * People edit these through JPA inside this package; others read them as plain records, and their scope as a
 * {@link Reader}, which is part of every query.
 */
@NullMarked
package io.muster.tenancy;

import org.jspecify.annotations.NullMarked;
