package io.muster.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What admins add to every pod of a pool; never what a user typed.
 *
 * @param tolerations taints that are tolerated
 * @param extraResources further resources of each replica, by name, as Kubernetes writes quantities (RDMA devices)
 * @param runtimeClass the RuntimeClass, or null
 * @param addCapabilities Linux capabilities added, for example IPC_LOCK
 * @param podSecurity the Pod Security level of the namespace: restricted, baseline or privileged
 * @param runAsUser default uid, or null
 * @param runAsGroup default gid, or null
 * @param env variables set for every replica, for example NCCL's
 * @param imagePullPolicy Always, IfNotPresent or Never
 */
public record PodProfile(
        List<Toleration> tolerations,
        Map<String, String> extraResources,
        @Nullable String runtimeClass,
        List<String> addCapabilities,
        String podSecurity,
        @Nullable Long runAsUser,
        @Nullable Long runAsGroup,
        Map<String, String> env,
        String imagePullPolicy) {

    /** As Kubernetes has it; {@code operator} is Exists or Equal; a null effect means every effect. */
    public record Toleration(
            String key,
            String operator,
            @Nullable String value,
            @Nullable String effect) {}

    /** As shipped: the usual GPU taint tolerated, Pod Security restricted. */
    public static final PodProfile SHIPPED = new PodProfile(
            List.of(new Toleration("nvidia.com/gpu", "Exists", null, "NoSchedule")),
            Map.of(),
            null,
            List.of(),
            "restricted",
            1000L,
            1000L,
            Map.of(),
            "IfNotPresent");

    public PodProfile {
        tolerations = List.copyOf(tolerations);
        extraResources = Map.copyOf(extraResources);
        addCapabilities = List.copyOf(addCapabilities);
        env = Map.copyOf(env);
    }
}
