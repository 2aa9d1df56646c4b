package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Patches without reading first, which the client's own do: the server may patch namespaces, but has no right to read
 * them.
 */
record Patches(KubernetesClient client, KubernetesProperties settings) {

    /** Sets an annotation of a pod. */
    void annotate(Pod pod, String annotation, String value) {
        var meta = pod.getMetadata();
        var change = Map.of("metadata", Map.of("annotations", Map.of(annotation, value)));
        send(
                "/api/v1/namespaces/" + meta.getNamespace() + "/pods/" + meta.getName(),
                "application/merge-patch+json",
                change,
                Pod.class);
    }

    /** Changes a namespace step by step; answers it as it is then. */
    Namespace namespace(String name, List<Map<String, String>> steps) {
        return send("/api/v1/namespaces/" + name, "application/json-patch+json", steps, Namespace.class);
    }

    private <T extends HasMetadata> T send(String path, String kindOfPatch, Object change, Class<T> type) {
        var body = client.getKubernetesSerialization().asJson(change);
        var request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(client.getConfiguration().getMasterUrl()).resolve(path))
                .method("PATCH", kindOfPatch, body)
                .build();
        try {
            var answer = client.getHttpClient()
                    .sendAsync(request, String.class)
                    .get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!answer.isSuccessful()) {
                throw failure(answer);
            }
            return client.getKubernetesSerialization().unmarshal(answer.body(), type);
        } catch (ExecutionException | TimeoutException noAnswer) {
            throw new KubernetesClientException("no answer to a patch of " + path, noAnswer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("interrupted while patching " + path, e);
        }
    }

    private KubernetesClientException failure(HttpResponse<String> answer) {
        Status status;
        try {
            status = client.getKubernetesSerialization().unmarshal(answer.body(), Status.class);
        } catch (RuntimeException notFromTheApiServer) {
            status = new Status();
        }
        var message = status.getMessage() == null ? "HTTP " + answer.code() : status.getMessage();
        return new KubernetesClientException(message, answer.code(), status);
    }
}
