package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;

/** Takes from objects that are kept what nobody here reads: on a large cluster most of their size is that. */
final class Thin {

    private Thin() {}

    static <T extends HasMetadata> T out(T object) {
        object.getMetadata().setManagedFields(List.of());
        if (object instanceof Pod pod) {
            pod.getSpec().setVolumes(List.of());
            pod.getSpec().getContainers().forEach(Thin::out);
            pod.getSpec().getInitContainers().forEach(Thin::out);
        }
        return object;
    }

    private static void out(Container container) {
        container.setEnv(List.of());
        container.setEnvFrom(List.of());
        container.setVolumeMounts(List.of());
        container.setCommand(List.of());
        container.setArgs(List.of());
    }

    /** What a watch keeps. */
    static final class Store<T extends HasMetadata> extends BasicItemStore<T> {
        Store() {
            super(Cache::metaNamespaceKeyFunc);
        }

        @Override
        public T put(String key, T object) {
            return super.put(key, out(object));
        }
    }
}
