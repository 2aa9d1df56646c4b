package io.muster.kubernetes.support;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** A controller may write an object between a test's reading and writing it. */
final class Conflicts {

    private static final int CONFLICT = 409;
    private static final int MOST_TRIES = 10;

    private Conflicts() {}

    static void retried(Runnable edit) {
        for (int tries = 1; ; tries++) {
            try {
                edit.run();
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
