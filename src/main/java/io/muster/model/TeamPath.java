package io.muster.model;

import java.util.regex.Pattern;

/** The path of a team in the tree, names joined by slashes: {@code research/vision}. */
public record TeamPath(String value) implements Comparable<TeamPath> {
    private static final String NAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern PATH = Pattern.compile(NAME + "(/" + NAME + "){0,9}");

    public TeamPath {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a team path: " + value);
        }
    }

    public static boolean isValid(String value) {
        return value.length() <= 640 && PATH.matcher(value).matches();
    }

    @Override
    public int compareTo(TeamPath other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
