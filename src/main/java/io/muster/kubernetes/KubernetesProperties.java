package io.muster.kubernetes;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How to reach and use the cluster.
 *
 * @param kubeconfig path of a kubeconfig, or null: the service account of the pod that the server runs in
 * @param context a context of that kubeconfig, or null: its current one
 * @param installation the mark of this server's objects, or null: the database's own
 * @param priorityClass the non-preempting PriorityClass of all pods; it must exist
 * @param clusterDomain the domain of the cluster's DNS
 * @param gpuResources resource names that count as GPUs when others hold them; a trailing {@code *} stands for any
 * ending
 * @param blockedNetworks networks that jobs may not reach, besides the metadata address and the API server
 * @param relist how often everything is listed and compared with what watches told
 * @param silence how long nothing may be heard before the connection counts as lost
 * @param bindTimeout how long a pod may wait for its node before that wait is given up as one that cannot end well
 * @param clockSkew how far the clocks of the server and its database may be apart
 * @param requestTimeout how long one call may take
 * @param orphanAge how old a Service without pods must be to be removed
 * @param logFollowers how many replicas' logs are followed at a time; others take turns
 */
@ConfigurationProperties("muster.cluster.kubernetes")
record KubernetesProperties(
        @Nullable String kubeconfig,
        @Nullable String context,
        @Nullable String installation,
        @DefaultValue("muster") String priorityClass,
        @DefaultValue("cluster.local") String clusterDomain,

        @DefaultValue({"nvidia.com/gpu", "nvidia.com/mig-*", "amd.com/gpu", "habana.ai/gaudi"})
        List<String> gpuResources,

        @DefaultValue List<String> blockedNetworks,
        @DefaultValue("30s") Duration relist,
        @DefaultValue("60s") Duration silence,
        @DefaultValue("60s") Duration bindTimeout,
        @DefaultValue("10s") Duration clockSkew,
        @DefaultValue("15s") Duration requestTimeout,
        @DefaultValue("2m") Duration orphanAge,
        @DefaultValue("256") int logFollowers) {}
