package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.muster.gateway.AttemptSpec;

/**
 * The headless Service by which the replicas of a gang find each other from their first moment on, and which owns them.
 */
final class GangService {

    private GangService() {}

    static Service service(AttemptSpec attempt, Marks marks) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(Marks.namespace(attempt.team()))
                .withName(attempt.attempt().objectName())
                .withLabels(marks.of(attempt))
                .endMetadata()
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(marks.selectorOf(attempt.attempt()))
                .endSpec()
                .build();
    }

    /**
     * Owned objects go with their owner. {@code blockOwnerDeletion} makes an owner that is deleted in the foreground
     * stay until its pods have saved and gone, so that ranks keep each other's names to the end.
     */
    static OwnerReference owner(HasMetadata object) {
        return new OwnerReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withName(object.getMetadata().getName())
                .withUid(object.getMetadata().getUid())
                .withBlockOwnerDeletion(true)
                .build();
    }
}
