package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Resource versions as numbers. Kubernetes grows them per resource and, by KEP-5504, lets clients compare two of the
 * same resource.
 */
final class Versions {

    private Versions() {}

    static long of(HasMetadata object) {
        try {
            return Long.parseLong(object.getMetadata().getResourceVersion());
        } catch (NumberFormatException opaque) {
            return 0;
        }
    }
}
