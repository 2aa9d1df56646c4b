package io.muster.support;

import io.muster.Muster;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * The whole server on a random loopback port with a fresh database, for this test class alone. Further properties go
 * into {@code @TestPropertySource}; {@code @LocalServerPort} tells the port.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@FreshDatabase
@SpringBootTest(classes = Muster.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public @interface ServerTest {}
