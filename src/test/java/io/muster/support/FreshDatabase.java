package io.muster.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.test.annotation.DirtiesContext;

/**
 * Gives the Spring context of this test class a database of its own, and so a context of its own: no other class's rows,
 * no other class's server. Nobody else can use it, so it is closed after the class: a server that goes on would take the
 * machine from the tests that follow. A class that minds neither uses {@link Database.Initializer}, and its context is
 * shared.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DirtiesContext
public @interface FreshDatabase {}
