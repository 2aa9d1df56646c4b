package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Complete lists, read in pages of one version of the cluster. */
record ClusterLists(KubernetesClient client, Marks marks) {

    private static final long PAGE = 500;
    private static final int MOST_PAGES = 2_000;

    List<Node> nodes() {
        return all(client.nodes()::list);
    }

    List<Pod> ours() {
        return all(client.pods().inAnyNamespace().withLabel(Marks.INSTALLATION, marks.installation())::list);
    }

    List<Service> services() {
        return all(client.services().inAnyNamespace().withLabel(Marks.INSTALLATION, marks.installation())::list);
    }

    List<Pod> everyPod() {
        return all(client.pods().inAnyNamespace()::list);
    }

    private static <T extends HasMetadata> List<T> all(
            Function<ListOptions, ? extends KubernetesResourceList<T>> lister) {
        var all = new ArrayList<T>();
        String next = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            var list = lister.apply(
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
            list.getItems().forEach(object -> all.add(Thin.out(object)));
            next = list.getMetadata().getContinue();
            if (next == null || next.isEmpty()) {
                return all;
            }
        }
        throw new IllegalStateException("more than " + MOST_PAGES * PAGE + " objects in one list");
    }
}
