package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Opens the output of a pod. The client's own way watches the pod first, which costs a second connection for each and
 * is known here already.
 */
record LogStreams(KubernetesClient client, KubernetesProperties settings) {

    /**
     * Stamped lines since a time, to the second, and what comes after; {@code IOException} when there is nothing to be
     * had now.
     */
    InputStream open(Pod pod, @Nullable Instant since) throws IOException {
        var meta = pod.getMetadata();
        var path = "/api/v1/namespaces/" + meta.getNamespace() + "/pods/" + meta.getName() + "/log?container="
                + PodFactory.CONTAINER
                + "&follow=true&timestamps=true"
                + (since == null ? "" : "&sinceTime=" + since.truncatedTo(ChronoUnit.SECONDS));
        var request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(client.getConfiguration().getMasterUrl()).resolve(path))
                .forStreaming()
                .build();
        CompletableFuture<HttpResponse<InputStream>> asked;
        try {
            asked = client.getHttpClient().sendAsync(request, InputStream.class);
        } catch (IllegalStateException closing) {
            throw new IOException(closing);
        }
        try {
            var answer = asked.get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!answer.isSuccessful()) {
                answer.body().close();
                throw new IOException("HTTP " + answer.code());
            }
            return answer.body();
        } catch (ExecutionException | TimeoutException noAnswer) {
            asked.cancel(true);
            throw new IOException("no answer", noAnswer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
