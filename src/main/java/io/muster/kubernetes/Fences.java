package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.muster.model.TeamId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What surrounds a team's namespace. By default nothing may come in or go out; jobs then get what training needs: their
 * own team's pods, and the outside but for the metadata address and the API server. A ResourceQuota is the backstop
 * against anything that would open the namespace.
 */
final class Fences {

    /** Where clouds answer for a node's own credentials. */
    private static final List<String> METADATA_NETWORKS = List.of("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128");

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private final Marks marks;
    private final List<String> blocked;

    Fences(Marks marks, KubernetesProperties settings, String apiServer) {
        this.marks = marks;
        this.blocked = blocked(settings, apiServer);
    }

    private static List<String> blocked(KubernetesProperties settings, String apiServer) {
        var blocked = new ArrayList<>(METADATA_NETWORKS);
        for (var host : new String[] {URI.create(apiServer).getHost(), System.getenv("KUBERNETES_SERVICE_HOST")}) {
            if (host != null && IPV4.matcher(host).matches()) {
                blocked.add(host + "/32");
            }
        }
        blocked.addAll(settings.blockedNetworks());
        return blocked.stream().distinct().toList();
    }

    List<HasMetadata> of(TeamId team) {
        return List.of(nothing(team), whatJobsNeed(team), backstop(team));
    }

    private HasMetadata nothing(TeamId team) {
        return new NetworkPolicyBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(team))
                .withName("muster-default-deny")
                .withLabels(marks.ofNamespace(team))
                .endMetadata()
                .withNewSpec()
                .withNewPodSelector()
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .endSpec()
                .build();
    }

    private HasMetadata whatJobsNeed(TeamId team) {
        var ofThisTeam = new NetworkPolicyPeerBuilder()
                .withNewPodSelector()
                .withMatchLabels(ours())
                .endPodSelector()
                .build();
        return new NetworkPolicyBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(team))
                .withName("muster-jobs")
                .withLabels(marks.ofNamespace(team))
                .endMetadata()
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(ours())
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .addNewIngress()
                .withFrom(ofThisTeam)
                .endIngress()
                .addNewEgress()
                .withTo(
                        ofThisTeam,
                        podsAnywhere("k8s-app", "kube-dns"),
                        podsAnywhere("app.kubernetes.io/name", "muster"),
                        outside("0.0.0.0/0", network -> !network.contains(":")),
                        outside("::/0", network -> network.contains(":")))
                .endEgress()
                .endSpec()
                .build();
    }

    /** Not every network plug-in counts pods of the same cluster as addresses. */
    private static NetworkPolicyPeer podsAnywhere(String label, String value) {
        return new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .endNamespaceSelector()
                .withNewPodSelector()
                .addToMatchLabels(label, value)
                .endPodSelector()
                .build();
    }

    private NetworkPolicyPeer outside(String all, Predicate<String> ofThatKind) {
        return new NetworkPolicyPeerBuilder()
                .withNewIpBlock()
                .withCidr(all)
                .withExcept(blocked.stream().filter(ofThatKind).toList())
                .endIpBlock()
                .build();
    }

    private Map<String, String> ours() {
        return Map.of(Marks.INSTALLATION, marks.installation());
    }

    private HasMetadata backstop(TeamId team) {
        return new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(team))
                .withName("muster-backstop")
                .withLabels(marks.ofNamespace(team))
                .endMetadata()
                .withNewSpec()
                .withHard(Map.of("services.loadbalancers", new Quantity("0"), "services.nodeports", new Quantity("0")))
                .endSpec()
                .build();
    }
}
