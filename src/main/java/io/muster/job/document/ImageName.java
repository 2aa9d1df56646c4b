package io.muster.job.document;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a container image, parsed and normalised as registries do: {@code train} is
 * {@code docker.io/library/train}. An allowlist compares these parts, never the text, so that
 * {@code evil.example/allowed} is not {@code allowed}.
 *
 * @param registry host with port if any, in small letters
 * @param repository path in it
 */
public record ImageName(String registry, String repository) {
    private static final int LONGEST = 512;
    private static final String DOCKER = "docker.io";
    private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
    private static final Pattern REPOSITORY = Pattern.compile(PART + "(?:/" + PART + ")*");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
            + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]{1,5})?");
    private static final Pattern REFERENCE =
            Pattern.compile("([^@]+?)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@sha256:([0-9a-f]{64}))?");

    /** Empty when it is no image name. */
    public static Optional<ImageName> parse(String text) {
        Matcher m = REFERENCE.matcher(text);
        return text.length() <= LONGEST && m.matches() ? named(m.group(1)) : Optional.empty();
    }

    /** True when {@code entry} (a registry, a registry with the beginning of a repository, or a repository) covers it. */
    public boolean allowedBy(String entry) {
        String plain = entry.strip().replaceAll("/?\\*?$", "");
        if (isHost(plain)) {
            return registry.equals(host(plain));
        }
        return named(plain)
                .filter(allowed -> registry.equals(allowed.registry))
                .filter(allowed ->
                        repository.equals(allowed.repository) || repository.startsWith(allowed.repository + "/"))
                .isPresent();
    }

    public boolean allowedBy(List<String> entries) {
        return entries.isEmpty() || entries.stream().anyMatch(this::allowedBy);
    }

    private static Optional<ImageName> named(String name) {
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        if (slash >= 0 && isHost(first)) {
            String rest = name.substring(slash + 1);
            String repository = host(first).equals(DOCKER) && rest.indexOf('/') < 0 ? "library/" + rest : rest;
            return checked(host(first), repository);
        }
        return checked(DOCKER, slash < 0 ? "library/" + name : name);
    }

    private static Optional<ImageName> checked(String registry, String repository) {
        return HOST.matcher(registry).matches()
                        && REPOSITORY.matcher(repository).matches()
                ? Optional.of(new ImageName(registry, repository))
                : Optional.empty();
    }

    private static boolean isHost(String part) {
        return part.indexOf('/') < 0 && (part.contains(".") || part.contains(":") || part.equals("localhost"));
    }

    private static String host(String part) {
        String small = part.toLowerCase(Locale.ROOT);
        return small.equals("index.docker.io") || small.equals("registry-1.docker.io") ? DOCKER : small;
    }
}
