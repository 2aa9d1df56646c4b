package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.CommandOutcome;
import io.muster.model.FailureClass;
import io.muster.model.TeamId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes sure that a team has its namespace, fenced in, before its first pod. A namespace is made once and never
 * deleted: it may hold the team's claims. Its Pod Security level is the most permissive that a pool used by the team
 * needs, as set by admins.
 */
final class TeamNamespaces {

    private static final String LEVEL = "pod-security.kubernetes.io/enforce";
    private static final List<String> LEVELS = List.of("restricted", "baseline", "privileged");

    private final KubernetesClient client;
    private final Marks marks;
    private final ApiErrors errors;
    private final Fences fences;
    private final Patches patches;
    private final Map<TeamId, String> levelOf = new ConcurrentHashMap<>();

    TeamNamespaces(KubernetesClient client, Marks marks, ApiErrors errors, Fences fences, Patches patches) {
        this.client = client;
        this.marks = marks;
        this.errors = errors;
        this.fences = fences;
        this.patches = patches;
    }

    CommandOutcome ensure(AttemptSpec attempt) {
        var needed = attempt.profile().podSecurity();
        var known = levelOf.get(attempt.team());
        if (known != null && isEnough(known, needed)) {
            return new CommandOutcome.Done();
        }
        try {
            var namespace = createOrLook(attempt, needed);
            var level = levelOf(namespace);
            if (!isEnough(level, needed)) {
                raise(namespace, needed);
                level = needed;
            }
            fences.of(attempt.team()).forEach(this::apply);
            levelOf.put(attempt.team(), level);
            errors.worked();
            return new CommandOutcome.Done();
        } catch (KubernetesClientException e) {
            return ApiErrors.isTestFailed(e)
                    ? new CommandOutcome.Refused(
                            FailureClass.ADMISSION,
                            "namespace " + Marks.namespace(attempt.team()) + " is there and not this installation's")
                    : errors.outcome(e);
        }
    }

    /** Somebody deleted it, or so it seems: look again before the next pod. */
    void forget(TeamId team) {
        levelOf.remove(team);
    }

    private Namespace createOrLook(AttemptSpec attempt, String level) {
        var labels = marks.ofNamespace(attempt.team());
        labels.put(LEVEL, level);
        var wanted = new NamespaceBuilder()
                .withNewMetadata()
                .withName(Marks.namespace(attempt.team()))
                .withLabels(labels)
                .withAnnotations(
                        Map.of("muster.io/team-path", attempt.teamPath().value()))
                .endMetadata()
                .build();
        try {
            return client.resource(wanted).create();
        } catch (KubernetesClientException e) {
            if (!ApiErrors.isAlreadyThere(e)) {
                throw e;
            }
            return patches.namespace(wanted.getMetadata().getName(), List.of(isOurs()));
        }
    }

    private void raise(Namespace namespace, String level) {
        var change = Map.of("op", "add", "path", label(LEVEL), "value", level);
        patches.namespace(namespace.getMetadata().getName(), List.of(isOurs(), change));
    }

    /**
     * The first step of each patch, which fails as a whole when it does not hold. Alone it is a look, for which no
     * right to read is needed.
     */
    private Map<String, String> isOurs() {
        return Map.of("op", "test", "path", label(Marks.INSTALLATION), "value", marks.installation());
    }

    private static String label(String key) {
        return "/metadata/labels/" + key.replace("~", "~0").replace("/", "~1");
    }

    private void apply(HasMetadata fence) {
        client.resource(fence).fieldManager("muster").forceConflicts().serverSideApply();
    }

    private static String levelOf(Namespace namespace) {
        var labels = namespace.getMetadata().getLabels();
        return labels == null ? LEVELS.getLast() : labels.getOrDefault(LEVEL, LEVELS.getLast());
    }

    private static boolean isEnough(String level, String needed) {
        return LEVELS.indexOf(level) >= LEVELS.indexOf(needed);
    }
}
