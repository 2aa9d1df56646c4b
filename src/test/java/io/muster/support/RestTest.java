package io.muster.support;

import io.muster.Muster;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * The whole server on a random port with a fresh database, where nothing moves by itself (see {@link LoopTest}) and the
 * core answers what the test says ({@link ScriptedFeasibility}).
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@FreshDatabase
@SpringBootTest(
        classes = {Muster.class, LoopTest.Parts.class, RestTest.Parts.class},
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "muster.cycle.enabled=false",
            "muster.dispatch.workers=0",
            "muster.cluster.type=none",
            "spring.quartz.auto-startup=false"
        })
public @interface RestTest {

    /** What the test holds in its hand besides. */
    @TestConfiguration(proxyBeanMethods = false)
    class Parts {
        @Bean
        @Primary
        ScriptedFeasibility scriptedFeasibility() {
            return new ScriptedFeasibility();
        }
    }
}
