package io.muster.support;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Finds {@link FreshDatabase}; the test class is part of the customizer, so contexts are not shared between classes. */
final class FreshDatabaseFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        return AnnotatedElementUtils.hasAnnotation(testClass, FreshDatabase.class) ? new PerClass(testClass) : null;
    }

    private record PerClass(Class<?> testClass) implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            Database.use(Database.fresh(), context);
        }
    }
}
