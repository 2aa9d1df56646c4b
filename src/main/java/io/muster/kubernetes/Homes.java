package io.muster.kubernetes;

import io.muster.model.AttemptId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * In which namespace attempts were started, for those whose pods are not there to tell. Holds the latest; older ones
 * had time to be stopped.
 */
final class Homes {

    private static final int MOST = 50_000;

    private final Map<AttemptId, String> namespaces = new LinkedHashMap<>();

    synchronized void remember(AttemptId attempt, String namespace) {
        namespaces.put(attempt, namespace);
        if (namespaces.size() > MOST) {
            namespaces.remove(namespaces.keySet().iterator().next());
        }
    }

    synchronized Set<String> of(AttemptId attempt) {
        var namespace = namespaces.get(attempt);
        return namespace == null ? Set.of() : Set.of(namespace);
    }

    synchronized void forget(AttemptId attempt) {
        namespaces.remove(attempt);
    }
}
