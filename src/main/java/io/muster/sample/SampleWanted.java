package io.muster.sample;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Samples are wanted where {@code muster.sample.enabled} says so; where it says nothing, on the embedded database with
 * the virtual cluster, as long as only this machine can reach the server.
 */
final class SampleWanted implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        boolean virtual =
                environment.getProperty("muster.cluster.type", "virtual").equals("virtual");
        String said = environment.getProperty("muster.sample.enabled", "");
        if (StringUtils.hasText(said)) {
            return virtual && Boolean.parseBoolean(said);
        }
        return virtual
                && !StringUtils.hasText(environment.getProperty("spring.datasource.url"))
                && isLoopback(environment.getProperty("server.address", ""));
    }

    private static boolean isLoopback(String address) {
        try {
            return StringUtils.hasText(address)
                    && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
