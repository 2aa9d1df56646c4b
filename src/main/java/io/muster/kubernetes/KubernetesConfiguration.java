package io.muster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterDuty;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterObserver;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Takes part when {@code muster.cluster.type} is {@code kubernetes}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "muster.cluster.type", havingValue = "kubernetes")
@EnableConfigurationProperties(KubernetesProperties.class)
class KubernetesConfiguration {

    @Bean(destroyMethod = "close")
    KubernetesClient kubernetesClient(KubernetesProperties settings) {
        return Connection.open(settings);
    }

    @Bean
    KubernetesCluster kubernetesCluster(
            KubernetesClient client,
            KubernetesProperties settings,
            Clock clock,
            JdbcClient jdbc,
            ObjectProvider<ClusterDuty> duty,
            ObjectProvider<ClusterObserver> observer) {
        return new KubernetesCluster(
                client,
                new Marks(installation(settings, jdbc)),
                settings,
                clock,
                () -> duty.getObject().isOurs(),
                observer::getObject);
    }

    @Bean
    ClusterGateway kubernetesGateway(KubernetesCluster cluster) {
        return cluster.gateway();
    }

    /** Two databases on one cluster are two installations, and leave each other's objects alone. */
    private static String installation(KubernetesProperties settings, JdbcClient jdbc) {
        var named = settings.installation();
        return named != null
                ? named
                : jdbc.sql("select id from installation").query(String.class).single();
    }
}
