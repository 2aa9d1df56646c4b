package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.CommandOutcome;
import io.muster.model.FailureClass;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What an error of the API server means for a command. Only what the API server has looked at and turned down is
 * refused; whatever has to do with time, load or the set-up of the cluster may be otherwise later.
 */
final class ApiErrors {

    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration SET_UP = Duration.ofSeconds(30);
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 30_000;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;

    private final AtomicInteger inARow = new AtomicInteger();

    static boolean isAlreadyThere(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT && "AlreadyExists".equals(reason(e));
    }

    static boolean isMissing(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** A JSON patch whose {@code test} did not hold. */
    static boolean isTestFailed(KubernetesClientException e) {
        return e.getCode() == UNPROCESSABLE;
    }

    /** A namespace that was made a moment ago has no service account yet, and no pod may be made in it until it has. */
    static boolean isNamespaceStillEmpty(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && (text(e).contains("error looking up service account")
                        || text(e).contains("status unknown for quota"));
    }

    void worked() {
        inARow.set(0);
    }

    CommandOutcome outcome(KubernetesClientException e) {
        return switch (e.getCode()) {
            case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT ->
                new CommandOutcome.Later(SOON, text(e));
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                new CommandOutcome.Later(SET_UP, "the API server does not know the server's credentials");
            case HttpURLConnection.HTTP_FORBIDDEN -> forbidden(e);
            case HttpURLConnection.HTTP_BAD_REQUEST, HttpURLConnection.HTTP_ENTITY_TOO_LARGE, UNPROCESSABLE ->
                new CommandOutcome.Refused(FailureClass.ADMISSION, text(e));
            // No answer (code 0), 429, 5xx: nobody knows whether it took effect.
            default -> new CommandOutcome.Later(wait(e), text(e));
        };
    }

    private CommandOutcome forbidden(KubernetesClientException e) {
        var text = text(e);
        if (isNamespaceStillEmpty(e) || text.contains("because it is being terminated")) {
            return new CommandOutcome.Later(SOON.multipliedBy(4), text);
        }
        if (text.contains("no PriorityClass with name") || isLackOfRights(text)) {
            return new CommandOutcome.Later(
                    SET_UP, "the cluster is not set up for Muster (deploy/kubernetes): " + text);
        }
        return new CommandOutcome.Refused(FailureClass.ADMISSION, text);
    }

    /** In RBAC's own words; a webhook that says no may use others. */
    private static boolean isLackOfRights(String text) {
        return text.contains("User \"") && text.contains("\" cannot ");
    }

    /** As the API server asks, else longer each time; never the same for all who wait. */
    private Duration wait(KubernetesClientException e) {
        int failures = e.getCode() == TOO_MANY || e.getCode() >= 500 || e.getCode() == 0 ? inARow.incrementAndGet() : 1;
        long millis = Optional.ofNullable(e.getStatus())
                .map(Status::getDetails)
                .map(details -> details.getRetryAfterSeconds())
                .filter(seconds -> seconds > 0)
                .map(seconds -> seconds * 1000L)
                .orElseGet(() -> Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures - 1, 6)));
        return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis + 1));
    }

    private static String reason(KubernetesClientException e) {
        return e.getStatus() == null || e.getStatus().getReason() == null
                ? ""
                : e.getStatus().getReason();
    }

    static String text(KubernetesClientException e) {
        var status = e.getStatus();
        if (status != null && status.getMessage() != null) {
            return status.getMessage();
        }
        var cause = e.getCause();
        return e.getMessage() + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage());
    }
}
