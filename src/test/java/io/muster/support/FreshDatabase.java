package io.muster.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the Spring context of this test class a database of its own, and so a context of its own: no other class's rows,
 * no other class's server. A class that minds neither uses {@link Database.Initializer}, and its context is shared.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FreshDatabase {}
