package io.muster.dispatch;

import java.util.Locale;
import java.util.Set;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** A mistyped kind of cluster ends the start: without it the server would start, and nothing would ever run. */
@Configuration(proxyBeanMethods = false)
class ClusterTypeConfiguration {
    /** {@code none}: whoever assembles the server brings a gateway of their own. */
    private static final Set<String> KNOWN = Set.of("virtual", "kubernetes", "none");

    /** Before any bean is made, as many of them would fail for want of others. */
    @Bean
    static BeanFactoryPostProcessor clusterTypeIsKnown(Environment environment) {
        return beans -> {
            String type = environment.getProperty("muster.cluster.type", "virtual");
            if (!KNOWN.contains(type.toLowerCase(Locale.ROOT))) {
                throw new ClusterTypeException(type);
            }
        };
    }
}
