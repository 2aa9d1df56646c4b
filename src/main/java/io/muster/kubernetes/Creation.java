package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.CommandOutcome;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import java.time.Duration;
import java.util.function.Predicate;

/** What became of the wish that an object be there. */
sealed interface Creation<T extends HasMetadata> {

    /** It is, made now or earlier by this installation for this attempt. */
    record There<T extends HasMetadata>(T object) implements Creation<T> {}

    record NotThere<T extends HasMetadata>(CommandOutcome why) implements Creation<T> {}

    /**
     * Creates objects, or adopts those that an earlier try made: names are determined by the attempt, so that a repeat
     * meets them.
     */
    record Creator(KubernetesClient client, Marks marks, ApiErrors errors) {

        private static final Duration PATIENCE_WITH_NEW_NAMESPACE = Duration.ofSeconds(5);

        <T extends HasMetadata> Creation<T> create(T wanted, AttemptId attempt) {
            return create(wanted, there -> marks.isOf(there, attempt));
        }

        private <T extends HasMetadata> Creation<T> create(T wanted, Predicate<T> isThat) {
            try {
                var made = createPatiently(wanted);
                errors.worked();
                return new There<>(made);
            } catch (KubernetesClientException e) {
                return ApiErrors.isAlreadyThere(e) ? adopt(wanted, isThat) : new NotThere<>(errors.outcome(e));
            }
        }

        /**
         * For what may be made but not read: being there under that name, beside an owner known to be ours, is enough.
         */
        <T extends HasMetadata> CommandOutcome createUnread(T wanted) {
            try {
                client.resource(wanted).create();
                errors.worked();
                return new CommandOutcome.Done();
            } catch (KubernetesClientException e) {
                return ApiErrors.isAlreadyThere(e) ? new CommandOutcome.Done() : errors.outcome(e);
            }
        }

        private <T extends HasMetadata> T createPatiently(T wanted) {
            var deadline = System.nanoTime() + PATIENCE_WITH_NEW_NAMESPACE.toNanos();
            while (true) {
                try {
                    return client.resource(wanted).create();
                } catch (KubernetesClientException e) {
                    if (!ApiErrors.isNamespaceStillEmpty(e) || System.nanoTime() > deadline) {
                        throw e;
                    }
                    Pauses.millis(50);
                }
            }
        }

        private <T extends HasMetadata> Creation<T> adopt(T wanted, Predicate<T> isThat) {
            try {
                T there = client.resource(wanted).get();
                if (there == null) {
                    return new NotThere<>(new CommandOutcome.Later(
                            Duration.ofMillis(200), name(wanted) + " went away as it was looked at"));
                }
                return isThat.test(there)
                        ? new There<>(there)
                        : new NotThere<>(new CommandOutcome.Refused(
                                FailureClass.ADMISSION, name(wanted) + " is there and not this installation's"));
            } catch (KubernetesClientException e) {
                return new NotThere<>(errors.outcome(e));
            }
        }

        private static String name(HasMetadata object) {
            return object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                    + object.getMetadata().getName();
        }
    }
}
